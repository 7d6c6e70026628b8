package dev.touchstone.index;

import dev.touchstone.index.table.Dictionary;
import dev.touchstone.index.table.DictionaryDraft;
import dev.touchstone.index.table.RowLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The next snapshot while prices are added to it. Segments that are not changed are shared with the snapshot before. Not thread-safe. */
final class SnapshotDraft {
    private final Fields fields;
    private final @Nullable Snapshot base;
    private final DictionaryDraft[] dictionaries;
    private final DictionaryDraft offerings;
    private final DictionaryDraft currencies;
    private final Map<Integer, SegmentDraft> drafts = new LinkedHashMap<>(); // by code of the offering
    private final Map<Integer, Segment> revalued = new HashMap<>(); // segments of which only values have changed
    private final Map<RowLayout, RowLayout> layouts = new HashMap<>();
    private final int[] codes;
    private final long[] numbers;

    SnapshotDraft(Fields fields, @Nullable Snapshot base) {
        this.fields = fields;
        this.base = base;
        int count = fields.list.size();
        dictionaries = new DictionaryDraft[count];
        for (int i = 0; i < count; i++) {
            dictionaries[i] = new DictionaryDraft(base == null ? Dictionary.empty() : base.dictionaries()[i]);
        }
        offerings = new DictionaryDraft(base == null ? Dictionary.empty() : base.offerings());
        currencies = new DictionaryDraft(base == null ? Dictionary.empty() : base.currencies());
        codes = new int[count];
        numbers = new long[count];
    }

    private SegmentDraft draft(String offering) {
        return drafts.computeIfAbsent(code(offerings, offering, "offering"), code -> {
            Segment segment = segment(code);
            revalued.remove(code);
            if (segment == null) {
                return new SegmentDraft(offering, fields.list);
            }
            layouts.putIfAbsent(segment.layout, segment.layout);
            return SegmentDraft.of(segment, fields.list);
        });
    }

    private @Nullable Segment segment(int offering) {
        Segment newer = revalued.get(offering);
        return newer != null || base == null || offering > base.segments().length
                ? newer
                : base.segments()[offering - 1];
    }

    /** Adds a price with a new id. The ids are compared when the segment is built. */
    void add(Price price) {
        SegmentDraft draft = draft(price.offering());
        put(draft, draft.count(), price);
    }

    void apply(PriceBatch batch) {
        batch.byOffering.forEach((offering, changes) -> {
            if ((base == null || base.offerings().code(offering) == 0)
                    && changes.stream().allMatch(change -> change.price() == null)) {
                return; // nothing to remove, and no reason to add the offering
            }
            if (revalue(offering, changes)) {
                return;
            }
            SegmentDraft draft = draft(offering);
            RowFinder rows = new RowFinder(draft, changes.size());
            boolean[] isRemoved = new boolean[draft.count() + changes.size()];
            for (PriceBatch.Change change : changes) {
                int row = rows.find(change.id());
                Price price = change.price();
                if (price == null) {
                    if (row >= 0) {
                        isRemoved[row] = true;
                        rows.forget(change.id());
                    }
                } else if (row >= 0) {
                    put(draft, row, price);
                } else {
                    rows.add(change.id(), draft.count());
                    put(draft, draft.count(), price);
                }
            }
            draft.remove(isRemoved);
        });
    }

    /** Applies changes that change only values; returns false if the changes are others. */
    private boolean revalue(String offering, List<PriceBatch.Change> changes) {
        int code = base == null ? 0 : base.offerings().code(offering);
        Segment before = code == 0 || drafts.containsKey(code) ? null : segment(code);
        Segment after = before == null
                ? null
                : ValueChanges.apply(before, changes, (price, row) -> {
                    encode(price);
                    return before.hasConditions(row, codes, numbers)
                            && code(currencies, price.currency(), "currency") == before.prices.currency(row);
                });
        if (after == null) {
            return false;
        }
        revalued.put(code, after);
        return true;
    }

    private void put(SegmentDraft draft, int row, Price price) {
        encode(price);
        draft.put(row, price, codes, numbers, code(currencies, price.currency(), "currency"));
    }

    /** Sets the codes and numbers to those of the conditions of a price. */
    private void encode(Price price) {
        Arrays.fill(codes, 0);
        price.conditions().forEach((name, value) -> {
            Field field = fields.named(name);
            int at = field.ordinal();
            if (field.type().isOrdered()) {
                numbers[at] = field.number(value);
                codes[at] = 1;
            } else if (value instanceof String text) {
                codes[at] = code(dictionaries[at], text, name);
            } else {
                throw field.wrong(value);
            }
        });
    }

    private static int code(DictionaryDraft draft, String text, String what) {
        int size = draft.size();
        int code = draft.code(text);
        if (draft.size() > size) {
            Fields.requireText(text, what);
        }
        return code;
    }

    Snapshot build() {
        Dictionary built = offerings.build();
        Segment[] segments = base == null ? new Segment[built.size()] : Arrays.copyOf(base.segments(), built.size());
        revalued.forEach((code, segment) -> segments[code - 1] = segment);
        var touched = drafts.entrySet().iterator();
        while (touched.hasNext()) {
            Map.Entry<Integer, SegmentDraft> next = touched.next();
            Segment segment = next.getValue().build(layouts);
            fields.list.forEach(segment::index);
            segments[next.getKey() - 1] = segment;
            touched.remove(); // frees the columns of the draft, which are as large as the segment
        }
        return new Snapshot(
                base == null ? 1 : base.version() + 1, fields.list, codes(built), currencies.build(), segments);
    }

    /** Returns the dictionaries of the snapshot before if there is no new string, else new ones. */
    private Codes codes(Dictionary builtOfferings) {
        Dictionary[] builtFields = new Dictionary[dictionaries.length];
        boolean isNew = base == null || builtOfferings != base.offerings();
        for (int i = 0; i < builtFields.length; i++) {
            builtFields[i] = dictionaries[i].build();
            isNew |= base == null || builtFields[i] != base.dictionaries()[i];
        }
        return isNew || base == null ? new Codes(builtOfferings, builtFields) : base.codes();
    }
}
