package dev.touchstone.index;

import dev.touchstone.index.table.Dictionary;
import dev.touchstone.index.table.DictionaryDraft;
import dev.touchstone.index.table.RefCounts;
import dev.touchstone.index.table.RowLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The next snapshot while prices are added to it. Segments that are not changed are shared with the snapshot before. Not thread-safe. */
final class SnapshotDraft {
    /** Maximum number of offerings without prices that keep a place, beside as many as there are others. */
    private static final int MAX_HOLES = 64;

    private final Fields fields;
    private final @Nullable Snapshot base;
    private final DictionaryDraft[] dictionaries;
    private final DictionaryDraft offerings; // a use for each price
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
            dictionaries[i] = new DictionaryDraft(
                    base == null ? Dictionary.empty() : base.dictionaries()[i], counts(base, i), true);
        }
        // the codes of offerings are not used again, because searches go along them, and a new offering is the last one
        offerings =
                new DictionaryDraft(base == null ? Dictionary.empty() : base.offerings(), counts(base, count), false);
        currencies = new DictionaryDraft(
                base == null ? Dictionary.empty() : base.currencies(), counts(base, count + 1), true);
        codes = new int[count];
        numbers = new long[count];
    }

    private static RefCounts counts(@Nullable Snapshot base, int number) {
        return base == null || base.counts().length == 0 ? RefCounts.none() : base.counts()[number];
    }

    /** Returns a snapshot that was read, with the uses of its strings counted, and without strings and offerings that no price uses. */
    static Snapshot counted(Fields fields, Snapshot read) {
        SnapshotDraft draft = new SnapshotDraft(fields, read);
        for (DictionaryDraft dictionary : draft.dictionaries) {
            dictionary.requireUses();
        }
        draft.offerings.requireUses();
        draft.currencies.requireUses();
        for (int number = 0; number < read.segments().length; number++) {
            Segment segment = read.segments()[number];
            draft.offerings.use(number + 1, segment.count);
            for (Field field : fields.list) {
                if (!field.type().isOrdered()) {
                    segment.postings(field.ordinal()).forEach(draft.dictionaries[field.ordinal()]::use);
                }
            }
            for (int row = 0; row < segment.count; row++) {
                draft.currencies.use(segment.prices.currency(row), 1);
            }
        }
        return draft.build(read.version());
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
                        use(draft, row, -1);
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
        int currency = code(currencies, price.currency(), "currency");
        if (row < draft.count()) {
            use(draft, row, -1);
        }
        draft.put(row, price, codes, numbers, currency);
        use(draft, row, 1);
    }

    /** Counts the uses of the strings of a row. */
    private void use(SegmentDraft draft, int row, int uses) {
        currencies.use(draft.currency(row), uses);
        for (Field field : fields.list) {
            int at = field.ordinal();
            if (!field.type().isOrdered() && draft.code(row, at) != 0) {
                dictionaries[at].use(draft.code(row, at), uses);
            }
        }
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
        int known = draft.known(text);
        if (known == 0) {
            Fields.requireText(text, what);
        }
        return known != 0 ? known : draft.code(text);
    }

    Snapshot build() {
        return build(base == null ? 1 : base.version() + 1);
    }

    private Snapshot build(long version) {
        Segment none = Segment.empty(fields.list);
        drafts.forEach((code, draft) -> {
            Segment before = segment(code);
            offerings.use(code, draft.count() - (before == null ? 0 : before.count));
        });
        Dictionary built = offerings.build();
        Segment[] segments =
                base == null ? new Segment[built.highest()] : Arrays.copyOf(base.segments(), built.highest());
        for (int i = base == null ? 0 : base.segments().length; i < segments.length; i++) {
            segments[i] = none;
        }
        revalued.forEach((code, segment) -> segments[code - 1] = segment);
        var touched = drafts.entrySet().iterator();
        while (touched.hasNext()) {
            Map.Entry<Integer, SegmentDraft> next = touched.next();
            int number = next.getKey() - 1;
            if (next.getValue().count() > 0) {
                segments[number] = next.getValue().build(layouts);
                fields.list.forEach(segments[number]::index);
            } else if (number < segments.length) {
                segments[number] = none;
            }
            touched.remove(); // frees the columns of the draft, which are as large as the segment
        }
        int count = fields.list.size();
        Dictionary[] builtFields = new Dictionary[count];
        RefCounts[] counts = new RefCounts[count + 2];
        boolean isNew = base == null || built != base.offerings();
        for (int i = 0; i < count; i++) {
            builtFields[i] = dictionaries[i].build();
            counts[i] = dictionaries[i].counts();
            isNew |= base == null || builtFields[i] != base.dictionaries()[i];
        }
        Dictionary builtCurrencies = currencies.build();
        counts[count] = offerings.counts();
        counts[count + 1] = currencies.counts();
        Codes nextCodes = isNew || base == null ? new Codes(built, builtFields) : base.codes();
        Snapshot next = new Snapshot(version, fields.list, nextCodes, builtCurrencies, segments, counts);
        return segments.length - built.size() > built.size() + MAX_HOLES ? renumbered(next) : next;
    }

    /** Returns the same snapshot without the places of the offerings that have no prices. */
    private static Snapshot renumbered(Snapshot snapshot) {
        Segment[] segments = Arrays.stream(snapshot.segments())
                .filter(segment -> segment.count > 0)
                .toArray(Segment[]::new);
        Dictionary offerings = Dictionary.of(snapshot.offerings().values());
        DictionaryDraft uses = new DictionaryDraft(offerings, RefCounts.none(), false);
        for (int number = 0; number < segments.length; number++) {
            uses.use(number + 1, segments[number].count);
        }
        RefCounts[] counts = snapshot.counts().clone();
        uses.build();
        counts[snapshot.fields().size()] = uses.counts();
        return new Snapshot(
                snapshot.version(),
                snapshot.fields(),
                new Codes(offerings, snapshot.dictionaries()),
                snapshot.currencies(),
                segments,
                counts);
    }
}
