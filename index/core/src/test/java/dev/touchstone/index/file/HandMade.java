package dev.touchstone.index.file;

import dev.touchstone.index.file.IndexFormat.Entry;
import dev.touchstone.index.file.IndexFormat.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An index file as its sections, so that they can be changed and written again with checksums that are right. */
final class HandMade {
    private final List<Kind> kinds = new ArrayList<>();
    private final List<Integer> numbers = new ArrayList<>();
    final List<byte[]> sections = new ArrayList<>();

    static HandMade of(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        HandMade made = new HandMade();
        int head = IndexFormat.headBytes(bytes, bytes.capacity());
        ByteBuffer directory = bytes.slice(0, head).order(ByteOrder.LITTLE_ENDIAN);
        for (Entry entry : IndexFormat.entries(directory, bytes.capacity())) {
            byte[] section = new byte[(int) entry.bytes()];
            bytes.get((int) entry.offset(), section);
            made.add(entry.kind(), entry.number(), section);
        }
        return made;
    }

    void add(Kind kind, int number, byte[] section) {
        kinds.add(kind);
        numbers.add(number);
        sections.add(section);
    }

    HandMade copy() {
        HandMade copy = new HandMade();
        for (int i = 0; i < sections.size(); i++) {
            copy.add(kinds.get(i), numbers.get(i), sections.get(i).clone());
        }
        return copy;
    }

    String name(int section) {
        return kinds.get(section) + "[" + numbers.get(section) + "]";
    }

    /** The first section of a kind. */
    int place(Kind kind) {
        return kinds.indexOf(kind);
    }

    HandMade with(Kind kind, SectionWriter section) {
        HandMade copy = copy();
        copy.sections.set(place(kind), bytes(section));
        return copy;
    }

    /** With 8 bytes of the first section of a kind, from a place on, changed into a number. */
    HandMade with(Kind kind, int at, long number) {
        HandMade copy = copy();
        ByteBuffer.wrap(copy.sections.get(place(kind)))
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(at, number);
        return copy;
    }

    static byte[] bytes(SectionWriter section) {
        ByteBuffer written = section.written();
        byte[] bytes = new byte[written.remaining()];
        written.get(bytes);
        return bytes;
    }

    byte[] file() {
        Entry[] entries = new Entry[sections.size()];
        long end = IndexFormat.HEADER_BYTES + (long) entries.length * IndexFormat.ENTRY_BYTES;
        for (int i = 0; i < entries.length; i++) {
            byte[] section = sections.get(i);
            long offset = IndexFormat.aligned(end);
            entries[i] = new Entry(
                    kinds.get(i), numbers.get(i), offset, section.length, IndexFormat.crc(ByteBuffer.wrap(section)));
            end = offset + section.length;
        }
        ByteBuffer file = ByteBuffer.allocate((int) end);
        file.put(IndexFormat.head(entries, end));
        for (int i = 0; i < entries.length; i++) {
            file.position((int) entries[i].offset()).put(sections.get(i));
        }
        return file.array();
    }

    void write(Path file) throws IOException {
        Files.write(file, file());
    }
}
