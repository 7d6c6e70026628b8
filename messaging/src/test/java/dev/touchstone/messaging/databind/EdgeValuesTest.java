package dev.touchstone.messaging.databind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlFloat;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.ErlMap;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Values that Java has and Erlang has not, or the reverse: keys that are equal once encoded, strings of bytes, deep values. */
class EdgeValuesTest {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private record Keyed<K>(Map<K, Integer> map) {}

    private record ByBytes(Keyed<byte[]> keyed) {}

    private record ByInts(Keyed<int[]> keyed) {}

    private record ByDouble(Keyed<Double> keyed) {}

    private record ByTerm(Keyed<Term> keyed) {}

    private record ByText(Keyed<String> keyed) {}

    private record ByPlain(Keyed<Plain> keyed) {}

    private record ByMap(Keyed<Map<byte[], Integer>> keyed) {}

    @SuppressWarnings("UnusedVariable") // read through a handle
    private static final class Plain {
        private int number = 7;
    }

    private static <T extends Record> Databind<T> of(Class<T> type) {
        return Databind.of(type, LOOKUP);
    }

    private static <K> Keyed<K> keyed(K first, K second) {
        Map<K, Integer> map = new LinkedHashMap<>();
        map.put(first, 1);
        map.put(second, 2);
        return new Keyed<>(map);
    }

    private static <T extends Record> void assertKeyTwice(Class<T> type, T value) {
        TermWriter writer = new TermWriter(16);
        writer.writeNil();
        assertThatThrownBy(() -> of(type).write(value, writer))
                .isInstanceOf(DatabindException.class)
                .hasMessage("key of entry 1: key stands twice");
        assertThat(writer.position()).isEqualTo(1);
    }

    @Test
    void map_whoseKeysAreEqualOnceEncoded_isRefused() {
        assertKeyTwice(ByBytes.class, new ByBytes(keyed(new byte[] {1, 2}, new byte[] {1, 2})));
        assertKeyTwice(ByBytes.class, new ByBytes(keyed(new byte[500], new byte[500]))); // the writer grows in between
        assertKeyTwice(ByInts.class, new ByInts(keyed(new int[] {1, 2000}, new int[] {1, 2000})));
        assertKeyTwice(ByPlain.class, new ByPlain(keyed(new Plain(), new Plain())));
    }

    @Test
    @SuppressWarnings("ArrayAsKeyOfSetOrMap") // on purpose
    void map_whoseKeysAreMapsInAnotherOrder_isRefused() {
        Map<byte[], Integer> first = keyed(new byte[] {1}, new byte[] {2}).map();
        Map<byte[], Integer> second = new LinkedHashMap<>();
        second.put(new byte[] {2}, 2);
        second.put(new byte[] {1}, 1);
        assertKeyTwice(ByMap.class, new ByMap(keyed(first, second)));
    }

    @Test
    void map_ofBothZerosAsKeys_isRefused() {
        assertKeyTwice(ByDouble.class, new ByDouble(keyed(0.0, -0.0)));
        assertKeyTwice(ByDouble.class, new ByDouble(keyed(-0.0, 0.0)));
        Term zero = ErlFloat.of(0.0);
        Term negative = ErlFloat.of(-0.0);
        assertKeyTwice(ByTerm.class, new ByTerm(keyed(zero, negative)));
        assertKeyTwice(
                ByTerm.class,
                new ByTerm(keyed(
                        Tuple.of(Int.of(1), ErlList.of(ErlMap.of(Atom.OK, negative)), zero),
                        Tuple.of(Int.of(1), ErlList.of(ErlMap.of(Atom.OK, zero)), negative))));
    }

    @Test
    void map_whoseKeyHasTheBytesOfNegativeZero_isWritten() {
        byte[] negative = {70, (byte) 0x80, 0, 0, 0, 0, 0, 0, 0};
        byte[] zero = {70, 0, 0, 0, 0, 0, 0, 0, 0};
        ErlMap expected = ErlMap.of(Binary.of(negative), Int.of(1), Binary.of(zero), Int.of(2));
        assertThat(of(ByBytes.class).toTerm(new ByBytes(keyed(negative, zero))))
                .isEqualTo(Tuple.of(Tuple.of(expected)));
    }

    @Test
    void map_ofOtherKeys_isWritten() {
        assertThat(of(ByDouble.class).toTerm(new ByDouble(keyed(-0.0, 1.0))))
                .isEqualTo(Tuple.of(Tuple.of(ErlMap.of(ErlFloat.of(-0.0), Int.of(1), ErlFloat.of(1), Int.of(2)))));
        ByText text = new ByText(keyed("a", "b"));
        assertThat(of(ByText.class).fromTerm(of(ByText.class).toTerm(text))).isEqualTo(text);
    }

    @Test
    @SuppressWarnings("IdentityHashMapUsage") // as a map that a user passes
    void map_thatTellsEqualKeysApart_isRefused() {
        Map<String, Integer> map = new IdentityHashMap<>();
        map.put("a", 1);
        map.put(new String("a"), 2);
        assertKeyTwice(ByText.class, new ByText(new Keyed<>(map)));
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record Ints(List<Int> list, Set<Int> set, Int[] array, List<Optional<Int>> optionals) {}

    private record Atoms(List<Atom> list) {}

    private record Pids(Set<Pid> set) {}

    private record Tuples(List<Optional<Tuple>> list) {}

    @Test
    void list_ofInt_takesStrings() {
        Term bytes = ErlList.ofLongs(1, 255);
        Term term = Tuple.of(bytes, bytes, bytes, bytes);
        Ints read = of(Ints.class).fromTerm(term);
        assertThat(read.list()).containsExactly(Int.of(1), Int.of(255));
        assertThat(read.set()).containsExactly(Int.of(1), Int.of(255));
        assertThat(read.array()).containsExactly(Int.of(1), Int.of(255));
        assertThat(read.optionals()).containsExactly(Optional.of(Int.of(1)), Optional.of(Int.of(255)));
        assertThat(of(Ints.class).toTerm(read)).isEqualTo(term);
    }

    @Test
    void list_ofOtherTerms_namesTheElementOfAString() {
        assertRefused(Atoms.class, Tuple.of(ErlList.ofLongs(1)), "Atoms.list: [0]: expected=Atom got=int");
        assertRefused(Pids.class, Tuple.of(ErlList.ofLongs(1)), "Pids.set: [0]: expected=Pid got=int");
        assertRefused(Tuples.class, Tuple.of(ErlList.ofLongs(1)), "Tuples.list: [0]: expected=Tuple got=int");
    }

    private static <T extends Record> void assertRefused(Class<T> type, Term term, String message) {
        assertThatThrownBy(() -> of(type).fromTerm(term))
                .isInstanceOf(DatabindException.class)
                .hasMessage(message);
    }

    private record Text(String text) {}

    @Test
    void text_ofBytesThatAreNotUtf8_isRefused() {
        byte[] first = {(byte) 255, 'a'};
        assertRefused(
                Text.class,
                Tuple.of(Binary.of(first)),
                "Text.text: expected=text in UTF-8 got=a binary of other bytes at=0");
        byte[] mixed = "\ufffd\u0416?".getBytes(StandardCharsets.UTF_8);
        mixed[mixed.length - 1] = (byte) 0xc3;
        assertRefused(
                Text.class,
                Tuple.of(Binary.of(mixed)),
                "Text.text: expected=text in UTF-8 got=a binary of other bytes at=5");
        Text replacement = new Text("\ufffd and \ud83d\ude00");
        assertThat(of(Text.class).fromTerm(of(Text.class).toTerm(replacement))).isEqualTo(replacement);
    }

    private record Deep(int a, int b, int c, int d, int e, int f, int g, int h, List<Deep> inner) {}

    private static Deep deep(int levels) {
        Deep deep = new Deep(1, 2, 3, 4, 5, 6, 7, 8, List.of());
        for (int i = 0; i < levels; i++) {
            deep = new Deep(1, 2, 3, 4, 5, 6, 7, 8, List.of(deep));
        }
        return deep;
    }

    @Test
    void value_thatIsNestedTooDeepForTheStack_isRefused() throws InterruptedException {
        Databind<Deep> databind = of(Deep.class);
        Deep value = deep(190);
        Term term = databind.toTerm(value); // within the stack of this thread
        assertThat(databind.fromTerm(term)).isEqualTo(value);
        TermWriter writer = new TermWriter(16);
        assertTooDeep(() -> databind.write(value, writer));
        assertThat(writer.position()).isZero();
        assertTooDeep(() -> databind.toTerm(value));
        assertTooDeep(() -> databind.fromTerm(term));
        assertThat(databind.fromTerm(term)).isEqualTo(value);
    }

    /** Makes a call twice in a thread with so little stack that it overflows: the first must leave no trace in the thread. */
    private static void assertTooDeep(ThrowingCallable call) throws InterruptedException {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Runnable twice = () -> {
            Throwable first = outcome(call);
            Throwable second = outcome(call);
            thrown.set(first instanceof DatabindException ? second : first);
        };
        Thread thread = new Thread(null, twice, "small-stack", 1);
        thread.start();
        thread.join();
        assertThat(thrown.get())
                .isInstanceOf(DatabindException.class)
                .hasMessageStartingWith("Deep: the value is nested too deep for the thread's stack")
                .hasCauseInstanceOf(StackOverflowError.class);
    }

    @SuppressWarnings("CatchingUnchecked")
    private static @Nullable Throwable outcome(ThrowingCallable call) {
        try {
            call.call();
            return null;
        } catch (Throwable e) {
            return e;
        }
    }
}
