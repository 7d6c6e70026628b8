package dev.touchstone.serialization.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.serialization.exception.CompactLockException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random locks, whole and changed. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SchemaLockFuzzTest {
    private static final String SIGNS = "ab.$-_ \"\\\n\r\tu0041\u00e9\u4e16\ud83d\ude07\u2028\u200e\u0000\uffff#";
    private static final FieldKind[] KINDS = FieldKind.values();

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    private String name() {
        StringBuilder name = new StringBuilder();
        int signs = random.nextInt(4) == 0 ? SIGNS.length() : 6;
        for (int left = random.nextInt(8); left > 0; left--) {
            name.append(SIGNS.charAt(random.nextInt(signs)));
        }
        return name.toString();
    }

    private TypeDescriptor descriptor(String typeName) {
        List<FieldDescriptor> fields = new ArrayList<>();
        SortedMap<String, FieldMeaning> meanings = new TreeMap<>();
        boolean isBare = random.nextBoolean();
        for (int left = random.nextInt(6); left > 0; left--) {
            String name = left + name();
            fields.add(new FieldDescriptor(name, KINDS[random.nextInt(KINDS.length)]));
            if (!isBare) {
                meanings.put(name, meaning());
            }
        }
        return new TypeDescriptor(Schema.of(typeName, fields), isBare ? "" : "C" + name(), meanings);
    }

    private FieldMeaning meaning() {
        FieldMeaning meaning = random.nextBoolean()
                ? FieldMeaning.format(name())
                : FieldMeaning.constants(List.of(name(), name(), name()));
        return random.nextBoolean() ? meaning : meaning.withMissing(name());
    }

    private SchemaLock lock() {
        Compatibility[] all = Compatibility.values();
        SchemaLock lock = SchemaLock.empty(all[random.nextInt(all.length)]);
        List<String> names = List.of("a" + name(), "b" + name(), "c" + name());
        for (int left = random.nextInt(4); left > 0; left--) {
            List<TypeDescriptor> descriptors = new ArrayList<>();
            names.forEach(name -> descriptors.add(descriptor(name)));
            lock = lock.accept(descriptors);
        }
        return lock;
    }

    @Test
    void parse_ofRandomLocks_givesEqualOnes() {
        for (int i = 0; i < 1_000; i++) {
            SchemaLock lock = lock();
            String text = lock.text();
            assertThat(SchemaLock.parse(text)).as("seed=%d text=%s", seed, text).isEqualTo(lock);
            assertThat(text.chars())
                    .as("seed=%d", seed)
                    .noneMatch(each -> each == 13 || Character.isSurrogate((char) (int) each));
        }
    }

    /** What is taken in spite of a change is one that the text has too: nothing passes unseen. */
    @Test
    void parse_ofChangedLocks_isRefusedOrMeansWhatIsWritten() {
        int taken = 0;
        for (int i = 0; i < 6_000; i++) {
            String changed = changed(lock().text());
            try {
                assertThat(SchemaLock.parse(changed).text())
                        .as("seed=%d text=%s", seed, changed)
                        .isEqualTo(changed.replace("\r\n", "\n").replace("compact.lock 1", "compact.lock 2"));
                taken++;
            } catch (CompactLockException e) {
                assertThat(e.line())
                        .as("seed=%d text=%s", seed, changed)
                        .isBetween(
                                1,
                                (int) changed.chars()
                                                .filter(each -> each == '\n')
                                                .count()
                                        + 1);
            } catch (RuntimeException e) {
                throw new AssertionError("seed=" + seed + " text=" + changed, e);
            }
        }
        assertThat(taken).as("seed=%d", seed).isLessThan(1_000);
    }

    private String changed(String text) {
        StringBuilder changed = new StringBuilder(text);
        for (int left = 1 + random.nextInt(2); left > 0 && changed.length() > 0; left--) {
            int at = random.nextInt(changed.length());
            switch (random.nextInt(5)) {
                case 0 -> changed.deleteCharAt(at);
                case 1 -> changed.setCharAt(at, SIGNS.charAt(random.nextInt(SIGNS.length())));
                case 2 -> changed.insert(at, SIGNS.charAt(random.nextInt(SIGNS.length())));
                case 3 -> changed.setLength(at);
                default -> moveLine(changed, at);
            }
        }
        return changed.toString();
    }

    private static void moveLine(StringBuilder text, int at) {
        int from = text.lastIndexOf("\n", at) + 1;
        int to = text.indexOf("\n", at) + 1;
        if (to > from) {
            String line = text.substring(from, to);
            text.delete(from, to);
            int next = text.indexOf("\n", from) + 1;
            text.insert(next, line);
        }
    }
}
