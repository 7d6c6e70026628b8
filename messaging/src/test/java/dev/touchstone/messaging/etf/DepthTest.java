package dev.touchstone.messaging.etf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.ErlMap;
import dev.touchstone.messaging.term.Fun;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Terms;
import dev.touchstone.messaging.term.Tuple;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Terms nested deeper than any stack. */
@org.junit.jupiter.api.Tag("sweep") // this package has a Tag of its own
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DepthTest {
    private static final int DEEP = 1_000_000;
    private static final DecodeLimits LIMITS =
            DecodeLimits.DEFAULT.withMaxDepth(Integer.MAX_VALUE).withMaxBytes(256 << 20);

    private static Stream<UnaryOperator<Term>> wrappers() {
        return Stream.of(
                term -> Tuple.of(Atom.OK, term),
                term -> Tuple.of(term),
                term -> ErlList.of(term),
                term -> ErlList.of(term, Atom.OK),
                term -> ErlList.improper(List.of(Atom.OK), Tuple.of(term)),
                term -> ErlList.improper(List.of(term), Atom.OK),
                term -> ErlMap.of(Atom.OK, term, Int.of(1), Int.of(2)),
                term -> Fun.of(1, new byte[16], 0, Atom.OK, 0, 0, Pid.of(Atom.OK, 1, 0, 0), term));
    }

    @ParameterizedTest
    @MethodSource("wrappers")
    void read_ofAMillionLevels_givesTheTerm(UnaryOperator<Term> wrapper) {
        Term term = Terms.nested(DEEP, Int.of(1), wrapper);
        TermWriter out = new TermWriter(1 << 20, 256 << 20);
        out.write(term);
        TermReader in = new TermReader(new AtomTable(), LIMITS).reset(out.array(), 0, out.position());
        assertThat(in.read().equals(term)).isTrue();
        assertThat(in.remaining()).isZero();
        in.reset(out.array(), 0, out.position()).skip();
        assertThat(in.remaining()).isZero();
        in.reset(out.array(), 0, out.position() - 1);
        assertThatThrownBy(in::read).isInstanceOf(MalformedTermException.class);
    }

    @Test
    void read_withTheDefaultLimits_takesWhatErlangSends() {
        byte[] bytes = TermWriter.encode(Terms.nested(200_000, Int.of(1), term -> ErlList.of(term)));
        assertThat(TermReader.decode(bytes)).isInstanceOf(ErlList.class);
        byte[] deeper = TermWriter.encode(Terms.nested(DEEP, Int.of(1), term -> Tuple.of(term)));
        assertThatThrownBy(() -> TermReader.decode(deeper))
                .isInstanceOf(TermLimitException.class)
                .hasMessageContaining("limit=maxDepth value=500001 allowed=500000");
    }

    @Test
    void read_ofListsOfNothingButTails_isIterative() {
        TermWriter out = new TermWriter(16);
        for (int i = 0; i < DEEP; i++) {
            out.writeListHeader(0);
        }
        out.writeInt(5);
        TermReader in = new TermReader(new AtomTable(), LIMITS).reset(out.array(), 0, out.position());
        assertThat(in.read()).isEqualTo(Int.of(5));
        in.reset(out.array(), 0, out.position()).skip();
        assertThat(in.remaining()).isZero();
    }
}
