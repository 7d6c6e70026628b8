package dev.touchstone.index.file;

import dev.touchstone.index.CorruptIndexException;
import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.Price;
import dev.touchstone.index.engine.Fields;
import dev.touchstone.index.engine.Segment;
import dev.touchstone.index.engine.SegmentBuilder;
import dev.touchstone.index.engine.SharedSegment;
import dev.touchstone.index.engine.Snapshot;
import dev.touchstone.index.engine.SnapshotBuilder;
import dev.touchstone.index.file.IndexFormat.Entry;
import dev.touchstone.index.file.IndexFormat.Kind;
import dev.touchstone.index.table.Dictionary;
import dev.touchstone.index.table.RefCounts;
import dev.touchstone.index.table.SharedParts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Methods that write a snapshot to a file or an array, and read it back. Only this package accesses files. */
public final class IndexFile {
    /** Types by their codes in files, which never change. */
    static final List<FieldType> TYPES =
            List.of(FieldType.STRING, FieldType.INTEGER, FieldType.DECIMAL, FieldType.DATE_TIME);

    private IndexFile() {}

    /** The contents of a file. */
    public record Contents(String key, Fields fields, Snapshot snapshot) {}

    /**
     * Writes a new file beside the old one, forces it to the device, and lets it replace the old one: whoever opens the file finds the old index or
     * the new one, complete. A writer that is killed leaves a file whose name ends in {@code .next}, which the next writer deletes.
     */
    public static void write(Path file, String key, Fields fields, Snapshot snapshot, FileAttribute<?>... attributes)
            throws IOException {
        try (AtomicFileWriter next = AtomicFileWriter.create(file, attributes)) {
            write(new Target.OfChannel(next.channel()), key, fields, snapshot);
            next.replace();
        }
    }

    /**
     * Returns the bytes of the file that {@link #write} would make.
     *
     * @throws IOException if there are more than an array holds
     */
    public static byte[] bytes(String key, Fields fields, Snapshot snapshot) throws IOException {
        Target.OfBytes target = new Target.OfBytes();
        write(target, key, fields, snapshot);
        return target.toByteArray();
    }

    private static void write(Target target, String key, Fields fields, Snapshot snapshot) throws IOException {
        // codes without a string, and offerings without prices, are left out
        int[] numbers = snapshot.numbers();
        int[][] ranks =
                Arrays.stream(snapshot.dictionaries()).map(Dictionary::ranks).toArray(int[][]::new);
        int[] currencies = snapshot.currencies().ranks();
        Entry[] entries = new Entry[3 + fields.list.size() + 2 * numbers.length];
        SectionSink sink = new SectionSink(target, entries);
        sink.add(Kind.SCHEMA, 0, schema(key, fields, snapshot.version()));
        for (Field field : fields.list) {
            int at = field.ordinal();
            sink.add(Kind.STRINGS, at, strings(snapshot.dictionaries()[at], ranks[at]));
        }
        sink.add(Kind.OFFERINGS, 0, texts(snapshot.offerings()));
        sink.add(Kind.CURRENCIES, 0, texts(snapshot.currencies()));
        for (int i = 0; i < numbers.length; i++) {
            Segment flat = SegmentBuilder.flat(numbers[i], snapshot.segment(numbers[i]), fields.list);
            sink.add(Kind.CONDITIONS, i, SegmentFormat.conditions(flat, fields.list, ranks));
            sink.add(Kind.PRICES, i, SegmentFormat.prices(flat.prices, currencies));
        }
        target.write(IndexFormat.head(entries, sink.end), 0);
    }

    private static final class SectionSink {
        private final Target target;
        private final Entry[] entries;
        private int used;
        private long end;

        SectionSink(Target target, Entry[] entries) {
            this.target = target;
            this.entries = entries;
            end = IndexFormat.HEADER_BYTES + (long) entries.length * IndexFormat.ENTRY_BYTES;
        }

        void add(Kind kind, int number, ByteBuffer bytes) throws IOException {
            long offset = IndexFormat.aligned(end);
            entries[used++] = new Entry(kind, number, offset, bytes.remaining(), IndexFormat.crc(bytes));
            end = offset + bytes.remaining();
            target.write(bytes, offset);
        }
    }

    private static ByteBuffer schema(String key, Fields fields, long version) {
        SectionWriter writer = new SectionWriter();
        writer.number(version);
        writer.text(key);
        writer.number(fields.list.size());
        for (Field field : fields.list) {
            writer.number(TYPES.indexOf(field.type()));
            writer.number(field.scale());
            writer.text(field.name());
        }
        return writer.written();
    }

    private static ByteBuffer texts(Dictionary dictionary) {
        SectionWriter writer = new SectionWriter();
        writer.texts(dictionary.values());
        return writer.written();
    }

    /** Returns the section of the strings of a field and of their sets, with ranks in place of codes. */
    private static ByteBuffer strings(Dictionary dictionary, int[] ranks) {
        SectionWriter writer = new SectionWriter();
        writer.texts(dictionary.values());
        List<int[]> sets = dictionary.sets();
        int[] ends = new int[sets.size()];
        for (int i = 0; i < ends.length; i++) {
            ends[i] = Math.addExact(i == 0 ? 0 : ends[i - 1], sets.get(i).length);
        }
        writer.ints(IntBuffer.wrap(ends));
        writer.ints(IntBuffer.wrap(sets.stream()
                .flatMapToInt(Arrays::stream)
                .map(code -> ranks[code])
                .toArray()));
        return writer.written();
    }

    /**
     * Reads a file, and checks all of it. Files that killed writers have left beside it are deleted.
     *
     * @param isMapped whether the prices without their conditions stay in the file, which is mapped then
     * @param hasEntries whether the file must hold entries, whose key has no name; else it must hold prices
     * @throws CorruptIndexException if the file is damaged, is not an index file, or holds the other kind
     */
    public static Contents open(Path file, boolean isMapped, boolean hasEntries) throws IOException {
        AtomicFileWriter.deleteLeftOver(file);
        Contents contents = read(file, isMapped);
        if (contents.key().isEmpty() != hasEntries) {
            String held = hasEntries ? "prices, expected=entries" : "entries, expected=prices";
            throw IndexFormat.damaged("holds " + held + ": file=" + file, "SCHEMA[0]");
        }
        return contents;
    }

    /**
     * Reads a file, and checks all of it.
     *
     * @param isMapped whether the prices without their conditions stay in the file, which is mapped then
     */
    public static Contents read(Path file, boolean isMapped) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return read(new Origin.OfChannel(channel, isMapped));
        }
    }

    /** Reads bytes that {@link #bytes} made, and checks all of them. */
    public static Contents read(byte[] bytes) throws IOException {
        return read(new Origin.OfBytes(bytes));
    }

    private static Contents read(Origin origin) throws IOException {
        long size = origin.size();
        ByteBuffer header = origin.read(0, (int) Math.min(IndexFormat.HEADER_BYTES, size));
        Entry[] entries = IndexFormat.entries(origin.read(0, IndexFormat.headBytes(header, size)), size);
        return new Source(origin, entries, IndexFormat.format(header)).read();
    }

    /** A reader of the sections of a file in the order in which they were written. Each section is read once. */
    private static final class Source {
        private final Origin origin;
        private final Entry[] entries;
        private final int format;
        private int next;

        Source(Origin origin, Entry[] entries, int format) {
            this.origin = origin;
            this.entries = entries;
            this.format = format;
        }

        Contents read() throws IOException {
            SectionReader schema = section(Kind.SCHEMA, 0);
            long version = schema.number();
            String key = schema.text();
            Fields fields = fields(schema);
            if (version < 1
                    || fields.list.stream().anyMatch(field -> field.name().equals(key))) {
                throw IndexFormat.damaged(
                        "no version, or a field has the key's name: version=" + version + " key="
                                + InvalidValueException.shown(key),
                        "SCHEMA[0]");
            }
            Dictionary[] dictionaries = new Dictionary[fields.list.size()];
            for (int i = 0; i < dictionaries.length; i++) {
                dictionaries[i] = dictionary(Kind.STRINGS, i);
            }
            Dictionary offerings = dictionary(Kind.OFFERINGS, 0);
            Dictionary currencies = dictionary(Kind.CURRENCIES, 0);
            int count = offerings.size();
            if (entries.length - next != 2L * count) {
                throw IndexFormat.damaged("other sections than offerings: offerings=" + count, "HEADER");
            }
            Snapshot.Segments.Draft segments = new Snapshot.Segments.Draft(count, Segment.empty(fields.list));
            SharedParts parts = new SharedParts();
            for (int i = 0; i < count; i++) {
                Segment segment = SegmentFormat.read(
                        section(Kind.CONDITIONS, i),
                        section(Kind.PRICES, i),
                        fields.list,
                        dictionaries,
                        currencies.size(),
                        parts);
                fields.list.forEach(field -> segment.index(field, parts));
                segments.set(i, segment);
                if (i + 1 == SharedSegment.endOf(i) || i + 1 == count) {
                    share(SharedSegment.firstOf(i), segments, fields, parts);
                }
            }
            return new Contents(
                    key,
                    fields,
                    SnapshotBuilder.counted(
                            fields,
                            new Snapshot(
                                    version,
                                    fields.list,
                                    new Snapshot.Codes(offerings, dictionaries),
                                    currencies,
                                    segments.build(),
                                    new RefCounts[0])));
        }

        /** Lets small offerings from a number on share a block, unless they have payloads that are to stay in the file. */
        private void share(int number, Snapshot.Segments.Draft segments, Fields fields, SharedParts parts) {
            SharedSegment.Draft shared = new SharedSegment.Draft(number, fields.list);
            for (int i = number; i < Math.min(SharedSegment.endOf(number), segments.count()); i++) {
                Segment segment = segments.get(i);
                if (segment.count <= SharedSegment.MAX_ROWS
                        && !(origin.isMapped() && segment.prices.payloads() != null)) {
                    shared.rows(i).add(segment);
                }
            }
            shared.build(segments, rows -> rows.buildShared(parts));
        }

        private static Fields fields(SectionReader schema) throws CorruptIndexException {
            int count = schema.number("fields", 0, Fields.MAX_FIELDS);
            List<Field> fields = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                FieldType type = TYPES.get(schema.number("type", 0, TYPES.size() - 1));
                int scale = schema.number("scale", 0, type == FieldType.DECIMAL ? Field.MAX_SCALE : 0);
                String name = schema.text();
                if (name.isEmpty()
                        || fields.stream().anyMatch(other -> other.name().equals(name))) {
                    throw schema.damaged(
                            "name of a field is empty, or there twice: name=" + InvalidValueException.shown(name));
                }
                fields.add(new Field(name, type, scale, i));
            }
            schema.end();
            return new Fields(fields);
        }

        private Dictionary dictionary(Kind kind, int number) throws IOException {
            SectionReader reader = section(kind, number);
            List<String> texts = reader.texts();
            boolean mayHaveSets = kind == Kind.STRINGS && format >= IndexFormat.FORMAT_OF_SETS;
            List<int[]> sets = mayHaveSets ? sets(reader, texts.size()) : List.of();
            reader.end();
            if (new HashSet<>(texts).size() != texts.size()) {
                throw reader.damaged("a text is there twice:");
            }
            return Dictionary.of(texts).plusSets(sets);
        }

        private static List<int[]> sets(SectionReader reader, int texts) throws CorruptIndexException {
            IntBuffer ends = reader.ints("ends of sets", 0, Integer.MAX_VALUE);
            IntBuffer codes = reader.ints("codes of sets", 0, Integer.MAX_VALUE);
            List<int[]> sets = new ArrayList<>();
            Set<IntBuffer> known = new HashSet<>();
            int from = 0;
            for (int i = 0; i < ends.limit(); i++) {
                int end = ends.get(i);
                if (end - (long) from < 2 || end - (long) from > Price.MAX_VALUES || end > codes.limit()) {
                    throw reader.damaged("size of a set is wrong: set=" + i + " from=" + from + " end=" + end);
                }
                int[] set = new int[end - from];
                codes.get(from, set);
                for (int k = 0; k < set.length; k++) {
                    if (set[k] > texts || set[k] <= (k == 0 ? 0 : set[k - 1])) {
                        throw reader.damaged("code in a set is wrong: set=" + i + " code=" + set[k]);
                    }
                }
                if (!known.add(IntBuffer.wrap(set))) {
                    throw reader.damaged("a set is there twice: set=" + i);
                }
                sets.add(set);
                from = end;
            }
            if (from != codes.limit()) {
                throw reader.damaged("codes of no set: codes=" + (codes.limit() - from));
            }
            return sets;
        }

        private SectionReader section(Kind kind, int number) throws IOException {
            if (next == entries.length || entries[next].kind() != kind || entries[next].number() != number) {
                throw IndexFormat.damaged("section is missing: expected=" + kind + "[" + number + "]", "HEADER");
            }
            Entry entry = entries[next++];
            if (entry.bytes() > Integer.MAX_VALUE - 16) {
                throw IndexFormat.damaged("too long: bytes=" + entry.bytes(), entry.name());
            }
            ByteBuffer bytes = origin.isMapped() && kind == Kind.PRICES
                    ? origin.map(entry.offset(), (int) entry.bytes())
                    : origin.read(entry.offset(), (int) entry.bytes());
            if (IndexFormat.crc(bytes) != entry.crc()) {
                throw IndexFormat.damaged(
                        "checksum is wrong: offset=" + entry.offset() + " bytes=" + entry.bytes(), entry.name());
            }
            return new SectionReader(bytes, entry.name());
        }
    }
}
