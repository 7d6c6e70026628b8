package dev.touchstone.index.engine;

import dev.touchstone.index.Field;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.Price;
import dev.touchstone.index.table.Dictionary;
import dev.touchstone.index.table.DictionaryDraft;
import dev.touchstone.index.table.RefCounts;
import dev.touchstone.index.table.SharedParts;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The next snapshot while prices are added to it. Segments that are not changed are shared with the snapshot before. Not thread-safe. */
public final class SnapshotBuilder {
    /** Maximum number of offerings without prices that keep a place, beside as many as there are others. */
    private static final int MAX_HOLES = 64;

    private final Fields fields;
    private final @Nullable Snapshot base;
    private final DictionaryDraft[] dictionaries;
    private final DictionaryDraft offerings; // a use for each price
    private final DictionaryDraft currencies;
    private final Map<Integer, OfferingDraft> drafts = new LinkedHashMap<>(); // by code of the offering
    private final SharedParts parts = new SharedParts();
    private final int[] codes;
    private final long[] numbers;
    private int batches; // number of batches that were applied
    private @Nullable OfferingDraft last; // that the batch changed last
    private String lastOffering = ""; // its offering
    private boolean hasEmptied; // whether a batch has left an offering without prices

    /**
     * Creates a draft of the version after a snapshot.
     *
     * @param base snapshot before, or null for the first version of an index
     */
    public SnapshotBuilder(Fields fields, @Nullable Snapshot base) {
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
    public static Snapshot counted(Fields fields, Snapshot read) {
        SnapshotBuilder draft = new SnapshotBuilder(fields, read);
        for (DictionaryDraft dictionary : draft.dictionaries) {
            dictionary.requireUses();
        }
        draft.offerings.requireUses();
        draft.currencies.requireUses();
        for (int number = 0; number < read.segments().count; number++) {
            Segment segment = read.segment(number);
            draft.offerings.use(number + 1, segment.total(number));
            if (segment.from(number) > 0) {
                continue; // not the first one of a shared block, whose strings are counted
            }
            for (Field field : fields.list) {
                if (!field.type().isOrdered()) {
                    segment.forEachCode(field.ordinal(), draft.dictionaries[field.ordinal()]::use);
                }
            }
            for (int row = 0; row < segment.count; row++) {
                draft.currencies.use(segment.prices.currency(row), 1);
            }
        }
        return draft.build(read.version());
    }

    private OfferingDraft draft(String offering) {
        return drafts.computeIfAbsent(code(offerings, offering, "offering"), code -> {
            boolean isKnown = base != null && code <= base.segments().count;
            Segment first = isKnown ? Objects.requireNonNull(base).segment(code - 1) : null;
            for (Segment block : first == null ? List.<Segment>of() : first.blocks()) {
                parts.first(block.layout);
            }
            return new OfferingDraft(offering, code - 1, first, fields, this::use);
        });
    }

    private void use(int field, int code, int change) {
        (field == dictionaries.length ? currencies : dictionaries[field]).use(code, change);
    }

    /** Adds a price with a new id to a snapshot without a base. The ids are compared when the snapshot is built. */
    public void add(Price price) {
        OfferingDraft draft = draft(price.offering());
        encode(price);
        draft.add(price, codes, numbers, code(currencies, price.currency(), "currency"));
    }

    /** Adds or replaces a price as a change of the batch that {@link #endBatch} ends. */
    public void put(Price price) {
        OfferingDraft draft = changed(price.offering());
        encode(price);
        draft.put(price, codes, numbers, code(currencies, price.currency(), "currency"));
    }

    /** Removes a price, if there is one, as a change of the batch that {@link #endBatch} ends. */
    public void remove(String offering, String id) {
        if (offerings.known(offering) != 0) { // else no reason to add the offering
            changed(offering).remove(id);
        }
    }

    /** Returns the draft of an offering that a batch changes. Batches go offering by offering, so the last draft is mostly the one. */
    private OfferingDraft changed(String offering) {
        OfferingDraft before = last;
        if (before != null && lastOffering.equals(offering)) {
            return before;
        }
        hasEmptied |= before != null && before.count() == 0;
        OfferingDraft next = draft(offering);
        last = next;
        lastOffering = offering;
        return next;
    }

    /**
     * Ends a batch, which makes one version.
     *
     * @return whether this draft takes one more batch; false if an offering has no prices any more: it is forgotten with this version, and the last one if
     *     the next version brings it back
     */
    public boolean endBatch() {
        batches++;
        hasEmptied |= last != null && last.count() == 0;
        last = null;
        return !hasEmptied;
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
            } else if (value instanceof Set<?> several) {
                codes[at] = dictionaries[at].codeOfSet(several.stream()
                        .mapToInt(text -> code(dictionaries[at], (String) text, name))
                        .toArray());
            } else {
                throw InvalidValueException.of(field, value);
            }
        });
    }

    private static int code(DictionaryDraft draft, String text, String what) {
        int known = draft.known(text);
        if (known == 0) {
            InvalidValueException.requireText(text, what);
        }
        return known != 0 ? known : draft.code(text);
    }

    /** Returns the next snapshot. The draft must not be used any more. */
    public Snapshot build() {
        return build(base == null ? 1 : base.version() + batches);
    }

    private Snapshot build(long version) {
        Segment none = Segment.empty(fields.list);
        if (base == null) {
            drafts.values().forEach(OfferingDraft::requireDistinctIds);
        }
        drafts.forEach((code, draft) -> offerings.use(code, draft.growth()));
        Dictionary built = offerings.build();
        Snapshot.Segments.Draft segments = base == null
                ? new Snapshot.Segments.Draft(built.highest(), none)
                : new Snapshot.Segments.Draft(base.segments(), built.highest(), none);
        int[] touched =
                drafts.keySet().stream().mapToInt(code -> code - 1).sorted().toArray();
        for (int from = 0, to = 0; from < touched.length; from = to) {
            int end = SharedSegment.endOf(touched[from]);
            while (to < touched.length && touched[to] < end) {
                to++;
            }
            build(segments, Arrays.copyOfRange(touched, from, to), none);
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
        Snapshot.Codes nextCodes = isNew || base == null ? new Snapshot.Codes(built, builtFields) : base.codes();
        Snapshot next = new Snapshot(version, fields.list, nextCodes, builtCurrencies, segments.build(), counts);
        return segments.count() - built.size() > built.size() + MAX_HOLES ? renumbered(next) : next;
    }

    /** Builds the segments of some offerings that are neighbours. The small ones share a block with those of their neighbours that are not changed. */
    private void build(Snapshot.Segments.Draft segments, int[] numbers, Segment none) {
        int first = SharedSegment.firstOf(numbers[0]);
        SharedSegment.Draft shared = new SharedSegment.Draft(first, fields.list);
        for (int number = first, i = 0; number < Math.min(SharedSegment.endOf(first), segments.count()); number++) {
            if (i == numbers.length || numbers[i] != number) {
                if (segments.get(number) instanceof SharedSegment block) {
                    shared.rows(number).add(block, block.from(number), block.to(number));
                }
                continue;
            }
            i++;
            // the columns of a draft are as large as the segment, and free then
            OfferingDraft draft = Objects.requireNonNull(drafts.remove(number + 1), "draft");
            segments.set(number, none);
            if (draft.count() > SharedSegment.MAX_ROWS) {
                segments.set(number, draft.build(rows -> rows.build(fields.maxRows, parts)));
            } else {
                draft.addTo(shared.rows(number));
            }
        }
        shared.build(segments, rows -> rows.buildShared(parts));
    }

    /** Returns the same snapshot without the places of the offerings that have no prices. */
    private Snapshot renumbered(Snapshot snapshot) {
        int[] numbers = snapshot.numbers();
        Snapshot.Segments.Draft segments = new Snapshot.Segments.Draft(numbers.length, Segment.empty(fields.list));
        Dictionary offerings = Dictionary.of(snapshot.offerings().values());
        DictionaryDraft uses = new DictionaryDraft(offerings, RefCounts.none(), false);
        for (int from = 0; from < numbers.length; from = SharedSegment.endOf(from)) {
            SharedSegment.Draft shared = new SharedSegment.Draft(from, fields.list);
            for (int number = from; number < Math.min(SharedSegment.endOf(from), numbers.length); number++) {
                int old = numbers[number];
                Segment segment = snapshot.segment(old);
                segments.set(number, segment);
                uses.use(number + 1, segment.total(old));
                if (segment instanceof SharedSegment) {
                    shared.rows(number).add(segment, segment.from(old), segment.to(old));
                }
            }
            shared.build(segments, rows -> rows.buildShared(parts));
        }
        RefCounts[] counts = snapshot.counts().clone();
        uses.build();
        counts[snapshot.fields().size()] = uses.counts();
        return new Snapshot(
                snapshot.version(),
                snapshot.fields(),
                new Snapshot.Codes(offerings, snapshot.dictionaries()),
                snapshot.currencies(),
                segments.build(),
                counts);
    }
}
