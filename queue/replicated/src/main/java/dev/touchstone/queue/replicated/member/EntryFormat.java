package dev.touchstone.queue.replicated.member;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Layout of an entry in the log of jraft.
 *
 * <pre>
 *  +------+------------------------------------------+
 *  | kind | MACHINE: the machine's entry             |
 *  | 1 B  | ANNOUNCEMENT: member's id, space, address |
 *  |      | VERIFICATION: its number                 |
 *  +------+------------------------------------------+
 * </pre>
 */
final class EntryFormat {
    static final byte MACHINE = 1;
    static final byte ANNOUNCEMENT = 2;
    static final byte VERIFICATION = 3;

    private EntryFormat() {}

    /** Returns a log entry that carries an entry of the machine. */
    static ByteBuffer machine(byte[] entry) {
        return ByteBuffer.allocate(1 + entry.length).put(MACHINE).put(entry).flip();
    }

    /** Returns a log entry by which a member makes its id known. */
    static ByteBuffer announcement(Identity identity) {
        return text(ANNOUNCEMENT, identity.text());
    }

    /** Returns a log entry at which each member verifies itself. */
    static ByteBuffer verification(String number) {
        return text(VERIFICATION, number);
    }

    private static ByteBuffer text(byte kind, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + bytes.length).put(kind).put(bytes).flip();
    }

    /** Returns the kind of a log entry, or 0 if it is empty. */
    static byte kind(ByteBuffer data) {
        return data.hasRemaining() ? data.get(data.position()) : 0;
    }

    /** Returns what follows the kind. */
    static ByteBuffer body(ByteBuffer data) {
        return data.slice(data.position() + 1, data.remaining() - 1);
    }

    /** Returns the text that follows the kind. */
    static String text(ByteBuffer data) {
        return StandardCharsets.UTF_8.decode(body(data)).toString();
    }
}
