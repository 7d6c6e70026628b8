package dev.touchstone.queue.migrate;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A queue file of tape. The format has no checksums, so payloads are not checked, and neither is the newest element's length if it fits
 * into the ring, since no other element follows.
 */
final class TapeQueue implements ForeignQueue {
    private final SourceFile file;
    private final ElementChain elements;

    private TapeQueue(SourceFile file, ElementChain elements) {
        this.file = file;
        this.elements = elements;
    }

    /**
     * Opens a file and checks all its lengths.
     *
     * @throws CorruptSourceException if the header is damaged, since no element can be found then
     */
    static TapeQueue open(Path path, DamageLog log) throws IOException {
        SourceFile file = SourceFile.open(path);
        try {
            return new TapeQueue(file, chain(file, log));
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    private static ElementChain chain(SourceFile file, DamageLog log) throws IOException {
        TapeHeader header = TapeHeader.read(file);
        if (header.fileBytes() > file.size()) {
            log.damage(
                    file.corrupt(file.size(), "tape file length", header.fileBytes(), file.size()),
                    "elements after it lost");
        }
        Ring ring = new Ring(file, header);
        if (header.count() == 0) {
            return ElementChain.open(new ElementChain.Range(ring, 0, 0, 0, false), log);
        }
        long lastAt = ring.distance(header.last());
        long end = usedBytes(ring, lastAt, header, log);
        ElementChain chain = ElementChain.open(new ElementChain.Range(ring, 0, end, header.count(), false), log);
        if (log.damaged() == 0 && chain.lastAt() != lastAt) {
            throw file.corrupt(
                    header.last(),
                    "tape last position",
                    ring.position(chain.lastAt()) + " by its lengths",
                    header.last());
        }
        return chain;
    }

    /** Returns the bytes from the first element to the end of the last; the whole ring if the last element's length is damaged. */
    private static long usedBytes(Ring ring, long lastAt, TapeHeader header, DamageLog log) throws IOException {
        long max = header.ringBytes() - lastAt - ElementChain.LENGTH_BYTES;
        if (!ring.has(lastAt, ElementChain.LENGTH_BYTES)) {
            log.damage(
                    ring.corrupt(lastAt, "tape last element", "a length", "the end"),
                    "the whole ring is searched for elements");
            return header.ringBytes();
        }
        int length = ring.intAt(lastAt);
        if (length < 0 || length > max) {
            log.damage(
                    ring.corrupt(lastAt, "tape last length", "0.." + max, length),
                    "the whole ring is searched for elements");
            return header.ringBytes();
        }
        return lastAt + ElementChain.LENGTH_BYTES + length;
    }

    @Override
    public Format format() {
        return Format.TAPE;
    }

    @Override
    public PayloadLayout payloadLayout() {
        return PayloadLayout.PLAIN;
    }

    @Override
    public @Nullable SourceRecord next() throws IOException {
        return elements.next();
    }

    @Override
    public long duplicates() {
        return 0;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** The file's bytes from the first element on; a range that reaches the end of the file continues after the header. */
    private record Ring(SourceFile file, TapeHeader header) implements ByteSource {

        /** Returns the number of bytes from the first element to a position in the file. */
        long distance(long position) {
            return Math.floorMod(position - header.first(), header.ringBytes());
        }

        /** Returns the position in the file. */
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
        public String place(long at) {
            return file.place(at < header.ringBytes() ? position(at) : header.fileBytes());
        }

        @Override
        public CorruptSourceException corrupt(long at, String field, Object expected, Object got) {
            return file.corrupt(at < header.ringBytes() ? position(at) : header.fileBytes(), field, expected, got);
        }
    }
}
