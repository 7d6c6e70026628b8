package dev.touchstone.queue.inspect;

import dev.touchstone.queue.log.CorruptLogException;

/**
 * A place in a queue's files that is not what was written.
 *
 * @param file name of the file in the queue's folder
 * @param offset where in it, in bytes
 * @param what should stand there
 * @param expected its value if it were whole
 * @param got the value that was found
 * @param first sequence of the first element that stood there; 0 where the place is not about elements
 * @param end sequence after the last element that stood there
 * @param lost of these elements, how many some cursor has not consumed
 * @param harmless whether nobody needs what stood there any more, and an open does not refuse that it is missing
 */
public record FoundDamage(
        String file,
        long offset,
        String what,
        String expected,
        String got,
        long first,
        long end,
        long lost,
        boolean harmless) {

    static FoundDamage of(CorruptLogException damage) {
        return of(damage, 0, 0, 0, false);
    }

    static FoundDamage of(CorruptLogException damage, long first, long end, long lost, boolean harmless) {
        return new FoundDamage(
                String.valueOf(damage.file().getFileName()),
                damage.offset(),
                damage.field(),
                damage.expected(),
                damage.got(),
                first,
                end,
                lost,
                harmless);
    }
}
