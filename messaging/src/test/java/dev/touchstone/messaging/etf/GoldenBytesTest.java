package dev.touchstone.messaging.etf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.BitString;
import dev.touchstone.messaging.term.ErlFloat;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.ErlMap;
import dev.touchstone.messaging.term.ExportFun;
import dev.touchstone.messaging.term.Fun;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Port;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Terms and their bytes, most of them as Erlang 25 wrote them. */
class GoldenBytesTest {
    private static final Atom NODE = Atom.of("nonode@nohost");
    private static final String NODE_UTF8 = "770d6e6f6e6f6465406e6f686f7374";
    private static final String NODE_LATIN1 = "64000d6e6f6e6f6465406e6f686f7374";
    private static final String FUN = "01065361aa461590d1bdf1eb62d1a6eb080000002a";
    private static final String FUN_TAIL =
            "770865726c5f6576616c612a6200329b0d58" + NODE_UTF8 + "000000090000000000000000";
    private static final BigInteger EDGE = BigInteger.ONE.shiftLeft(63);

    private static Arguments same(String hex, Term term) {
        return Arguments.of(hex, term);
    }

    private static Stream<Arguments> written() {
        return Stream.of(
                same("6100", Int.of(0)),
                same("61ff", Int.of(255)),
                same("6200000100", Int.of(256)),
                same("62ffffffff", Int.of(-1)),
                same("627fffffff", Int.of(Integer.MAX_VALUE)),
                same("6280000000", Int.of(Integer.MIN_VALUE)),
                same("6e040000000080", Int.of(1L << 31)),
                same("6e040101000080", Int.of(-(1L << 31) - 1)),
                same("6e0800ffffffffffffff7f", Int.of(Long.MAX_VALUE)),
                same("6e08010000000000000080", Int.of(Long.MIN_VALUE)),
                same("6e08000000000000000080", Int.of(EDGE)),
                same("6e08010100000000000080", Int.of(EDGE.negate().subtract(BigInteger.ONE))),
                same("6e1a00" + "00".repeat(25) + "01", Int.of(BigInteger.ONE.shiftLeft(200))),
                same(
                        "6f0000010001" + "00".repeat(255) + "01",
                        Int.of(BigInteger.ONE.shiftLeft(2040).negate())),
                same("77026f6b", Atom.OK),
                same("7706c3a4c3b6c3bc", Atom.of("\u00e4\u00f6\u00fc")),
                same("7706e697a5e69cac", Atom.of("\u65e5\u672c")),
                same("7700", Atom.of("")),
                same("760258" + "e697a5".repeat(200), Atom.of("\u65e5".repeat(200))),
                same("463ff8000000000000", ErlFloat.of(1.5)),
                same("46d4b249ad2594c37d", ErlFloat.of(-1e100)),
                same("460000000000000000", ErlFloat.of(0)),
                same("6a", ErlList.EMPTY),
                same("6b0003616263", ErlList.string("abc")),
                same("6c00000003610161026200" + "00012c6a", ErlList.of(Int.of(1), Int.of(2), Int.of(300))),
                same("6c00000001" + "7701617701" + "62", ErlList.improper(List.of(Atom.of("a")), Atom.of("b"))),
                same("6c00000002610161026103", ErlList.improper(List.of(Int.of(1), Int.of(2)), Int.of(3))),
                same("6800", Tuple.EMPTY),
                same("680377026f6b61016d0000000178", Tuple.of(Atom.OK, Int.of(1), Binary.of("x"))),
                same(
                        "6900000100" + "6a".repeat(256),
                        Tuple.of(Stream.generate(() -> ErlList.EMPTY).limit(256).toArray(Term[]::new))),
                same("6d00000003010203", Binary.of(new byte[] {1, 2, 3})),
                same("6d00000000", Binary.EMPTY),
                same("4d000000020301a0", BitString.of(new byte[] {1, (byte) 0xa0}, 3)),
                same("74000000017701616101", ErlMap.of(Atom.of("a"), Int.of(1))),
                same("7400000000", ErlMap.EMPTY),
                same("7177056c6973747377036d61706102", ExportFun.of(Atom.of("lists"), Atom.of("map"), 2)),
                same("58" + NODE_UTF8 + "000000090000000000000000", Pid.of(NODE, 9, 0, 0)),
                same("58" + NODE_UTF8 + "ffffffff0000000284762e16", Pid.of(NODE, -1, 2, 0x84762e16)),
                same("59" + NODE_UTF8 + "0fffffff00000001", Port.of(NODE, 0xfffffff, 1)),
                same("78" + NODE_UTF8 + "000000001000000000000001", Port.of(NODE, 0x10000000, 1)),
                same(
                        "5a0003" + NODE_UTF8 + "00000000000387c8af90000133f9bfb8",
                        Ref.of(NODE, 0, 0x387c8, 0xaf900001, 0x33f9bfb8)),
                same(
                        "5a0005" + NODE_UTF8 + "000000070000000100000002000000030000000400000005",
                        Ref.of(NODE, 7, 1, 2, 3, 4, 5)),
                same("700000004a" + FUN + "00000000" + FUN_TAIL, fun()));
    }

    private static Fun fun(Term... free) {
        byte[] uniq = HexFormat.of().parseHex("065361aa461590d1bdf1eb62d1a6eb08");
        return Fun.of(1, uniq, 42, Atom.of("erl_eval"), 42, 0x329b0d, Pid.of(NODE, 9, 0, 0), free);
    }

    private static Stream<Arguments> readOnly() {
        return Stream.of(
                same("64" + "00026f6b", Atom.OK),
                same("7302" + "6f6b", Atom.OK),
                same("640003e4f6fc", Atom.of("\u00e4\u00f6\u00fc")),
                same("7303e4f6fc", Atom.of("\u00e4\u00f6\u00fc")),
                same("640000", Atom.of("")),
                same("760002" + "6f6b", Atom.OK),
                same("63312e3530303030303030303030303030303030303030652b30300000000000", ErlFloat.of(1.5)),
                same("632d312e" + "30".repeat(20) + "652d3130" + "00".repeat(4), ErlFloat.of(-1e-10)),
                same("67" + NODE_LATIN1 + "000000090000000103", Pid.of(NODE, 9, 1, 3)),
                same("58" + NODE_LATIN1 + "000000090000000000000000", Pid.of(NODE, 9, 0, 0)),
                same("66" + NODE_LATIN1 + "f000000003", Port.of(NODE, 0xf0000000L, 3)),
                same("59" + NODE_LATIN1 + "f000000000000003", Port.of(NODE, 0xf0000000L, 3)),
                same("65" + NODE_LATIN1 + "0000000903", Ref.of(NODE, 3, 9)),
                same("720002" + NODE_LATIN1 + "030000000900000008", Ref.of(NODE, 3, 9, 8)),
                same("7164" + "00056c697374736400036d61706102", ExportFun.of(Atom.of("lists"), Atom.of("map"), 2)),
                same("6b0000", ErlList.EMPTY),
                same("6c000000006101", Int.of(1)),
                same("6c000000006c000000006a", ErlList.EMPTY),
                same("6c0000000068016101", Tuple.of(Int.of(1))),
                same("6c0000000161016b00020304", ErlList.of(Int.of(1), Int.of(3), Int.of(4))),
                same("6c0000000161016c0000000161026a", ErlList.of(Int.of(1), Int.of(2))),
                same("6c0000000161016c0000000161026103", ErlList.improper(List.of(Int.of(1), Int.of(2)), Int.of(3))),
                same("6c00000001610168016103", ErlList.improper(List.of(Int.of(1)), Tuple.of(Int.of(3)))),
                same("6c0000000261017701616a", ErlList.of(Int.of(1), Atom.of("a"))),
                same("6900000000", Tuple.EMPTY),
                same("69000000016101", Tuple.of(Int.of(1))),
                same("6e020105" + "00", Int.of(-5)),
                same("6e0000", Int.of(0)),
                same("6e0900010000000000000000", Int.of(1)),
                same("6f0000000100ff", Int.of(255)),
                same("4d0000000000", Binary.EMPTY),
                same("4d0000000108ff", Binary.of(new byte[] {-1})),
                same("4d0000000103ff", BitString.of(new byte[] {(byte) 0xe0}, 3)));
    }

    @ParameterizedTest
    @MethodSource("written")
    void encode_ofEachKind_givesErlangsBytes(String hex, Term term) {
        assertThat(HexFormat.of().formatHex(TermWriter.encode(term))).isEqualTo("83" + hex);
    }

    @ParameterizedTest
    @MethodSource({"written", "readOnly"})
    void decode_ofEachTag_givesTheTerm(String hex, Term term) {
        byte[] bytes = HexFormat.of().parseHex("83" + hex);
        assertThat(TermReader.decode(bytes)).isEqualTo(term).hasSameHashCodeAs(term);
        TermReader reader = new TermReader(new AtomTable(), DecodeLimits.DEFAULT).reset(bytes, 1, bytes.length - 1);
        reader.skip();
        assertThat(reader.remaining()).isZero();
    }

    @Test
    void decode_ofAFunWithVariables_givesThem() {
        Fun fun = fun(Atom.OK, Tuple.of(Int.of(1)), ErlList.EMPTY);
        assertThat(TermReader.decode(TermWriter.encode(fun))).isEqualTo(fun);
    }

    /** What {@code fun(Y) -> X + Y end} was in a shell of Erlang 25, where X is 5. */
    @Test
    void decode_ofAFunFromErlang_keepsItsVariables() {
        String hex =
                "8370000000c801065361aa461590d1bdf1eb62d1a6eb080000002a0000000164000865726c5f6576616c612a6200329b0d58"
                        + "64000d6e6f6e6f6465406e6f686f73740000000900000000000000006806610e6c0000000168026400015861056a64"
                        + "00046e6f6e656400046e6f6e6574000000006c000000016805640006636c61757365610e6c00000001680364000376"
                        + "6172610e640001596a6a6c0000000168056400026f70610e6400012b6803640003766172610e640001586803640003"
                        + "766172610e640001596a6a";
        Term term = TermReader.decode(HexFormat.of().parseHex(hex));
        assertThat(term).isInstanceOf(Fun.class);
        assertThat(((Fun) term).free(0).toString())
                .isEqualTo("{14,[{'X',5}],none,none,#{},"
                        + "[{clause,14,[{var,14,'Y'}],[],[{op,14,'+',{var,14,'X'},{var,14,'Y'}}]}]}");
        assertThat(TermReader.decode(TermWriter.encode(term))).isEqualTo(term);
    }

    @Test
    void decode_ofACompressedTermFromErlang_givesTheTerm() {
        byte[] bytes = HexFormat.of().parseHex("835000000196789ccb616060484961604c1cc5830767010030464e93");
        Term[] elements = Stream.generate(() -> Atom.of("a")).limit(100).toArray(Term[]::new);
        assertThat(TermReader.decode(bytes)).isEqualTo(ErlList.of(elements));
    }
}
