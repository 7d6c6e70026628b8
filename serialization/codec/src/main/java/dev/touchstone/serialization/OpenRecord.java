package dev.touchstone.serialization;

import dev.touchstone.serialization.layout.BigEndian;
import dev.touchstone.serialization.layout.OffsetTable;
import dev.touchstone.serialization.layout.RecordLayout;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The record that is being written: which of its fields have a value, and where. Extended, where the house would compose, so that a field
 * is written without a detour.
 */
abstract class OpenRecord {
    /*
     * Who calls:   one thread at a time; a codec, while it is on the stack.
     * Invariants:  slots[slotBase + field] says of each field of the record at hand that it is not written, is written, is null, or where
     *              its value begins. Above them, up to slotTop, are the offsets of items. Records further out keep theirs below.
     * Failure:     what is thrown leaves all this as it is; the next record clears it.
     */
    static final int WRITTEN = 0;

    private static final int UNWRITTEN = Integer.MIN_VALUE;
    private static final int INITIAL_SLOTS = 64;
    private static final int RETAINED_SLOTS = 1 << 16;
    private static final Schema NOTHING = Schema.builder("").build();

    final Output out;
    final Limits limits;

    Schema schema = NOTHING;
    byte[] kinds = NOTHING.layout().kinds;
    int[] places = NOTHING.layout().places;
    int[] slots = new int[INITIAL_SLOTS];
    int slotTop;
    int slotBase;
    int dataStart;
    int written;

    OpenRecord(Limits limits) {
        this.limits = limits;
        out = new Output(limits.maxBytes());
    }

    /** Forgets what was written. */
    final void clear() {
        out.clear();
        slotTop = 0;
        use(NOTHING);
        if (slots.length > RETAINED_SLOTS) {
            slots = new int[INITIAL_SLOTS];
        }
    }

    final void use(Schema next) {
        schema = next;
        RecordLayout layout = next.layout();
        kinds = layout.kinds;
        places = layout.places;
    }

    final void begin(Schema next) {
        use(next);
        slotBase = pushSlots(kinds.length);
        Arrays.fill(slots, slotBase, slotTop, UNWRITTEN);
        written = 0;
        RecordLayout layout = next.layout();
        int head = RecordLayout.SCHEMA_ID_BYTES + (layout.variableFields.length == 0 ? 0 : RecordLayout.LENGTH_BYTES);
        int at = out.reserve((long) head + layout.fixedBytes);
        dataStart = at + head;
        BigEndian.putInt64(out.buffer, at, next.id());
        Arrays.fill(out.buffer, dataStart + layout.booleansAt, dataStart + layout.fixedBytes, (byte) 0);
    }

    final void end() {
        if (written != kinds.length) {
            throw unwritten();
        }
        int[] variable = schema.layout().variableFields;
        if (variable.length == 0) {
            return;
        }
        int dataLength = out.position - dataStart;
        BigEndian.putInt32(out.buffer, dataStart - RecordLayout.LENGTH_BYTES, dataLength);
        int at = out.reserve(OffsetTable.bytes(dataLength, variable.length));
        int shift = OffsetTable.shift(dataLength);
        byte[] buffer = out.buffer;
        for (int i = 0; i < variable.length; i++) {
            OffsetTable.put(buffer, at, shift, i, slots[slotBase + variable[i]]);
        }
    }

    /** Makes room for numbers above those that are kept: where it begins. */
    private int pushSlots(int count) {
        int base = slotTop;
        if (count > slots.length - base) {
            slots = Arrays.copyOf(slots, Math.max(Math.addExact(base, count), 2 * slots.length));
        }
        slotTop = base + count;
        return base;
    }

    /** Notes that a field is written: {@link #WRITTEN}, null, or an offset. */
    final void mark(int field, byte kind, int slot) {
        if (kinds[field] != kind) {
            throw unfit(
                    "written as another kind: written=" + FieldKind.ofId(kind).orElseThrow(), field);
        }
        int at = slotBase + field;
        if (slots[at] != UNWRITTEN) {
            throw unfit("written twice:", field);
        }
        slots[at] = slot;
        written++;
    }

    /** Notes that a field that may be null is written: a value that is none follows at once. */
    final void start(int field, byte kind, @Nullable Object value) {
        mark(field, kind, value == null ? OffsetTable.NULL : out.position - dataStart);
    }

    /** Where the value of a field in the fixed region stands. */
    final int fixed(int field, byte kind) {
        mark(field, kind, WRITTEN);
        return dataStart + places[field];
    }

    final void checkItems(int count) {
        if (count > limits.maxItems()) {
            throw new CompactLimitException("maxItems", count, limits.maxItems());
        }
    }

    final <T> void items(int field, byte kind, @Nullable T @Nullable [] items, ItemWriter<T> writer) {
        start(field, kind, items);
        if (items == null) {
            return;
        }
        int offsets = beginItems(items.length);
        int start = out.position;
        for (int i = 0; i < items.length; i++) {
            T item = items[i];
            slots[offsets + i] = item == null ? OffsetTable.NULL : out.position - start;
            if (item != null) {
                writer.write(out, item);
            }
        }
        endItems(start, offsets, items.length);
    }

    private int beginItems(int count) {
        checkItems(count);
        int at = out.reserve(2 * Integer.BYTES);
        BigEndian.putInt32(out.buffer, at + Integer.BYTES, count);
        return pushSlots(count);
    }

    private void endItems(int start, int offsets, int count) {
        int dataLength = out.position - start;
        BigEndian.putInt32(out.buffer, start - 2 * Integer.BYTES, dataLength);
        int at = out.reserve(OffsetTable.bytes(dataLength, count));
        int shift = OffsetTable.shift(dataLength);
        for (int i = 0; i < count; i++) {
            OffsetTable.put(out.buffer, at, shift, i, slots[offsets + i]);
        }
        slotTop = offsets;
    }

    private CompactFieldException unwritten() {
        int field = 0;
        while (slots[slotBase + field] != UNWRITTEN) {
            field++;
        }
        return unfit("not written:", field);
    }

    final CompactFieldException unfit(String what, int field) {
        return new CompactFieldException(
                what + " kind=" + schema.field(field).kind(),
                schema.typeName(),
                schema.field(field).name());
    }
}
