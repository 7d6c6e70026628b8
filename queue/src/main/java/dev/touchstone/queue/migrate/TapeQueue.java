package dev.touchstone.queue.migrate;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * tape's queue file. It has no checksums: a payload of the right length is taken as it is, and so is the newest element's length where it
 * fits into the ring, since nothing follows that it would contradict.
 */
final class TapeQueue implements ForeignQueue {
    private final SourceFile file;
    private final ElementChain elements;
    private final DamageLog log;

    private TapeQueue(SourceFile file, ElementChain elements, DamageLog log) {
        this.file = file;
        this.elements = elements;
        this.log = log;
    }

    /** Opens it and walks all its lengths. @throws CorruptSourceException if the header is damaged: behind such nothing is found */
    static TapeQueue open(Path path, int maxRecordBytes, DamageLog log) throws IOException {
        SourceFile file = SourceFile.open(path);
        try {
            return new TapeQueue(file, chain(file, new ElementChain.Rules(false, maxRecordBytes), log), log);
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    private static ElementChain chain(SourceFile file, ElementChain.Rules rules, DamageLog log) throws IOException {
        TapeHeader header = TapeHeader.read(file);
        if (header.fileBytes() > file.size()) {
            log.damage(
                    file.corrupt(file.size(), "tape file length", header.fileBytes(), file.size()),
                    "elements behind it lost");
        }
        Ring ring = new Ring(file, header);
        if (header.count() == 0) {
            return ElementChain.open(ring, 0, 0, 0, rules, log);
        }
        long lastAt = ring.distance(header.last());
        ElementChain chain =
                ElementChain.open(ring, 0, usedBytes(ring, lastAt, header, log), header.count(), rules, log);
        if (log.damaged() == 0 && chain.lastAt() != lastAt) {
            throw file.corrupt(
                    header.last(),
                    "tape last position",
                    ring.position(chain.lastAt()) + " by its lengths",
                    header.last());
        }
        return chain;
    }

    /** Bytes from the first element's begin to the last one's end; the whole ring where the last one's length is damaged. */
    private static long usedBytes(Ring ring, long lastAt, TapeHeader header, DamageLog log) throws IOException {
        long most = header.ringBytes() - lastAt - ElementChain.LENGTH_BYTES;
        if (!ring.has(lastAt, ElementChain.LENGTH_BYTES)) {
            log.damage(ring.corrupt(lastAt, "tape last element", "a length", "the end"), "its elements are looked for");
            return header.ringBytes();
        }
        int length = ring.intAt(lastAt);
        if (length < 0 || length > most) {
            log.damage(ring.corrupt(lastAt, "tape last length", "0.." + most, length), "its elements are looked for");
            return header.ringBytes();
        }
        return lastAt + ElementChain.LENGTH_BYTES + length;
    }

    @Override
    public Format format() {
        return Format.TAPE;
    }

    @Override
    public byte @Nullable [] next() throws IOException {
        return elements.next(log);
    }

    @Override
    public long duplicates() {
        return 0;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** The file as bytes from the first element on; what reaches its end goes on behind the header. */
    private record Ring(SourceFile file, TapeHeader header) implements ElementChain.Bytes {

        /** Bytes from the first element to a position. */
        long distance(long position) {
            return Math.floorMod(position - header.first(), header.ringBytes());
        }

        long position(long at) {
            long straight = header.first() + at;
            return straight < header.fileBytes() ? straight : straight - header.ringBytes();
        }

        @Override
        public boolean has(long at, long bytes) {
            if (at + bytes > header.ringBytes()) {
                return false;
            }
            long from = position(at);
            return Math.min(from + bytes, header.fileBytes()) <= file.size();
        }

        @Override
        public int intAt(long at) throws IOException {
            int value = 0;
            for (int i = 0; i < Integer.BYTES; i++) {
                value = (value << 8) | (file.byteAt(position(at + i)) & 0xff);
            }
            return value;
        }

        @Override
        public void read(long at, byte[] target) throws IOException {
            long from = position(at);
            int straight = (int) Math.min(target.length, header.fileBytes() - from);
            file.read(from, target, 0, straight);
            file.read(header.headerBytes(), target, straight, target.length - straight);
        }

        @Override
        public CorruptSourceException corrupt(long at, String field, Object expected, Object got) {
            return file.corrupt(at < header.ringBytes() ? position(at) : header.fileBytes(), field, expected, got);
        }
    }
}
