package dev.touchstone.messaging.term;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is equal, how it is hashed and printed, and that depth does not matter. */
@Tag("sweep")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EqualityTest {
    private static final int DEEP = 1_000_000;

    private static final List<UnaryOperator<Term>> WRAPPERS = List.of(
            term -> Tuple.of(Atom.OK, term, Int.of(1)),
            term -> ErlList.of(term),
            term -> ErlList.improper(List.of(term), Atom.OK),
            term -> ErlList.improper(List.of(Atom.OK), Tuple.of(term)),
            term -> ErlMap.of(Atom.OK, term),
            term -> Fun.of(1, new byte[16], 0, Atom.OK, 0, 0, Pid.of(Atom.OK, 1, 0, 0), term));

    @Test
    void equals_ofCopies_isTrueWithEqualHashes() {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 3000; i++) {
            Term term = Terms.random(random, 5);
            Term copy = Terms.copy(term, random);
            assertThat(copy.equals(term)).as("seed=%d term=%s", seed, term).isTrue();
            assertThat(term.equals(copy)).as("seed=%d term=%s", seed, term).isTrue();
            assertThat(copy.hashCode()).as("seed=%d term=%s", seed, term).isEqualTo(term.hashCode());
        }
    }

    @Test
    void equals_ofDifferentTerms_isFalse() {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, Term> byText = new HashMap<>();
        for (int i = 0; i < 3000; i++) {
            Term term = Terms.random(random, 3);
            Term wrong = Tuple.of(term, Int.of(-7));
            assertThat(term.equals(wrong)).as("seed=%d", seed).isFalse();
            assertThat(Tuple.of(term, Int.of(-8)).equals(wrong))
                    .as("seed=%d", seed)
                    .isFalse();
            Term known = byText.putIfAbsent(term.getClass() + term.toString(), term);
            if (known != null && (term instanceof Atom || term instanceof Int || term instanceof Binary)) {
                assertThat(known).as("seed=%d", seed).isEqualTo(term);
            }
        }
    }

    @Test
    void equals_ofKindsThatLookAlike_isFalse() {
        List<Term> terms = new ArrayList<>(List.of(
                Int.of(1),
                ErlFloat.of(1),
                ErlFloat.of(0.0),
                ErlFloat.of(-0.0),
                Int.of(BigInteger.ONE.shiftLeft(64)),
                Int.of(BigInteger.ONE.shiftLeft(64).negate()),
                Atom.of("a"),
                Binary.of("a"),
                ErlList.string("a"),
                BitString.of(new byte[] {'a'}, 7),
                BitString.of(new byte[] {'a'}, 6),
                Tuple.of(Int.of('a')),
                Tuple.EMPTY,
                ErlList.EMPTY,
                ErlMap.EMPTY,
                Binary.EMPTY,
                ErlList.improper(List.of(Int.of(1)), Int.of(2)),
                ErlList.of(Int.of(1), Int.of(2)),
                Pid.of(Atom.OK, 1, 2, 3),
                Pid.of(Atom.OK, 1, 2, 4),
                Port.of(Atom.OK, 1, 2),
                Ref.of(Atom.OK, 1, 2),
                Ref.of(Atom.OK, 1, 2, 0),
                ExportFun.of(Atom.OK, Atom.OK, 1)));
        for (int i = 0; i < terms.size(); i++) {
            for (int j = 0; j < terms.size(); j++) {
                assertThat(terms.get(i).equals(terms.get(j)))
                        .as("%s %s", terms.get(i), terms.get(j))
                        .isEqualTo(i == j);
            }
        }
    }

    @Test
    void equals_ofVeryDeepTerms_endsWithoutOverflow() {
        for (UnaryOperator<Term> wrapper : WRAPPERS) {
            Term one = Terms.nested(DEEP, Int.of(1), wrapper);
            Term same = Terms.nested(DEEP, Int.of(1), wrapper);
            Term other = Terms.nested(DEEP, Int.of(2), wrapper);
            assertThat(one.equals(same)).isTrue();
            assertThat(one.equals(other)).isFalse();
            assertThat(one.hashCode()).isEqualTo(same.hashCode()).isNotEqualTo(other.hashCode());
            assertThat(one.toString()).hasSizeGreaterThan(DEEP / 100_000);
        }
    }

    @Test
    void equals_ofListsPackedAndNot_isTrue() {
        ErlList packed = ErlList.string("abc");
        ErlList loose = ErlList.wrap(new Term[] {Int.of('a'), Int.of('b'), Int.of('c')}, ErlList.EMPTY);
        assertThat(packed.isPackedBytes()).isTrue();
        assertThat(loose.isPacked()).isFalse();
        assertThat(packed).isEqualTo(loose).hasSameHashCodeAs(loose);
        assertThat(loose).isEqualTo(packed);
        assertThat(ErlList.of(loose.asList()).isPackedBytes()).isTrue();
    }

    @Test
    void toString_ofEachKind_isErlangsSyntax() {
        assertThat(Tuple.of(
                        Atom.of("ok"), Atom.of("Not plain"), Atom.of("it's"), Atom.of("end"), Atom.of(""), Int.of(-1)))
                .hasToString("{ok,'Not plain','it\\'s','end','',-1}");
        assertThat(ErlList.of(ErlFloat.of(1.5), ErlFloat.of(1e100))).hasToString("[1.5,1.0e100]");
        assertThat(ErlList.improper(List.of(Int.of(1), Int.of(2)), Atom.of("x")))
                .hasToString("[1,2|x]");
        assertThat(ErlList.string("a\"b\n")).hasToString("\"a\\\"b\\n\"");
        assertThat(ErlList.of(Int.of(1), Int.of(2))).hasToString("[1,2]");
        assertThat(ErlList.EMPTY).hasToString("[]");
        assertThat(Binary.of("abc")).hasToString("<<\"abc\">>");
        assertThat(Binary.of(new byte[] {0, -1})).hasToString("<<0,255>>");
        assertThat(Binary.EMPTY).hasToString("<<>>");
        assertThat(BitString.of(new byte[] {1, (byte) 0xa0}, 3)).hasToString("<<1,5:3>>");
        assertThat(ErlMap.of(Atom.of("a"), Int.of(1), Tuple.EMPTY, ErlMap.EMPTY))
                .hasToString("#{a => 1,{} => #{}}");
        assertThat(Pid.of(Atom.of("a@b"), -1, 2, 3)).hasToString("#Pid<a@b.4294967295.2>");
        assertThat(Port.of(Atom.of("a@b"), 7, 3)).hasToString("#Port<a@b.7>");
        assertThat(Ref.of(Atom.of("a@b"), 3, 1, 2, 3)).hasToString("#Ref<a@b.1.2.3>");
        assertThat(ExportFun.of(Atom.of("lists"), Atom.of("map"), 2)).hasToString("fun lists:map/2");
        assertThat(Int.of(BigInteger.TEN.pow(30))).hasToString("1" + "0".repeat(30));
        assertThat(Int.of(BigInteger.ONE.shiftLeft(4 * 3000))).hasToString("16#1" + "0".repeat(3000));
    }

    /** Fields that a peer may choose freely, as those of references and pids, must not let it choose their hash. */
    @Test
    void hashCode_ofIdentifiersThatDifferLittle_spreads() {
        int count = 10_000;
        Atom node = Atom.of("node@host");
        Set<Integer> refs = new HashSet<>();
        Set<Integer> pids = new HashSet<>();
        for (int i = 0; i < count; i++) {
            refs.add(Ref.of(node, 1, i, 1, 2, 3, -i * 31).hashCode());
            int hash =
                    Pid.of(Atom.of("n" + i), 1, 1, Atom.of("n" + i).hashCode()).hashCode();
            pids.add(hash);
        }
        // the factors are drawn anew in each process: with some of them a few are equal
        assertThat(refs.size()).isGreaterThan(count * 99 / 100);
        assertThat(pids.size()).isGreaterThan(count * 99 / 100);
    }

    /** Sums of products of the parts' hashes would be equal for many lists of two elements, whatever their hashes are. */
    @Test
    void hashCode_ofListsOfTwoElements_spreads() {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        Set<Integer> hashes = new HashSet<>();
        Set<Term> lists = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            Term[] parts = new Term[40];
            Arrays.setAll(parts, each -> random.nextBoolean() ? Atom.TRUE : Atom.FALSE);
            Term list = ErlList.of(parts);
            lists.add(list);
            hashes.add(list.hashCode());
        }
        assertThat(hashes.size()).as("seed=" + seed).isGreaterThan(lists.size() * 99 / 100);
    }
}
