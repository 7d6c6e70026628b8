package dev.touchstone.jinterface;

import com.ericsson.otp.erlang.OtpErlangAtom;
import com.ericsson.otp.erlang.OtpErlangBinary;
import com.ericsson.otp.erlang.OtpErlangBitstr;
import com.ericsson.otp.erlang.OtpErlangBoolean;
import com.ericsson.otp.erlang.OtpErlangByte;
import com.ericsson.otp.erlang.OtpErlangChar;
import com.ericsson.otp.erlang.OtpErlangDouble;
import com.ericsson.otp.erlang.OtpErlangException;
import com.ericsson.otp.erlang.OtpErlangExternalFun;
import com.ericsson.otp.erlang.OtpErlangFloat;
import com.ericsson.otp.erlang.OtpErlangFun;
import com.ericsson.otp.erlang.OtpErlangInt;
import com.ericsson.otp.erlang.OtpErlangList;
import com.ericsson.otp.erlang.OtpErlangLong;
import com.ericsson.otp.erlang.OtpErlangMap;
import com.ericsson.otp.erlang.OtpErlangObject;
import com.ericsson.otp.erlang.OtpErlangPid;
import com.ericsson.otp.erlang.OtpErlangPort;
import com.ericsson.otp.erlang.OtpErlangRef;
import com.ericsson.otp.erlang.OtpErlangShort;
import com.ericsson.otp.erlang.OtpErlangString;
import com.ericsson.otp.erlang.OtpErlangTuple;
import com.ericsson.otp.erlang.OtpErlangUInt;
import com.ericsson.otp.erlang.OtpErlangUShort;
import com.ericsson.otp.erlang.OtpInputStream;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

/** Calls of every term class: text, bytes, equality, bounds. What odd comparisons give is compared too. */
@SuppressWarnings({
    "EqualsIncompatibleType",
    "EqualsNull",
    "IdentityBinaryExpression",
    "ReferenceEquality",
    "SelfComparison"
})
public final class TermProbe extends Trace implements Function<Integer, List<String>> {
    private final OtpErlangPid pid = new OtpErlangPid("n@h", 5, 6, 7);
    private final OtpErlangList l3 = new OtpErlangList(new OtpErlangObject[] {number(1), number(2), number(3)});
    private final OtpErlangList im = improper();
    private final OtpErlangMap m = new OtpErlangMap(
            new OtpErlangObject[] {atom("k"), number(2)}, new OtpErlangObject[] {atom("v"), number(3)});

    private static OtpErlangList improper() {
        try {
            return new OtpErlangList(array(number(1), number(2)), atom("t"));
        } catch (OtpErlangException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public List<String> apply(Integer unused) {
        part0();
        part1();
        part2();
        part3();
        part4();
        part5();
        part6();
        part7();
        part8();
        part9();
        part10();
        return lines();
    }

    private void part0() {
        line("atomlong", () -> new OtpErlangAtom("x".repeat(256)));
        line("atom255emoji", () -> encoded(new OtpErlangAtom("\ud83d\ude00".repeat(255))).length);
        for (String s : new String[] {
            "",
            "a",
            "Ab",
            "a b",
            "a@b",
            "_a",
            "a_1",
            "1a",
            "a'b",
            "a\\b",
            "a\nb",
            "å",
            "Å",
            "aå",
            "a.b",
            "\u0001",
            "\u1000",
            "a\u007f",
            "true",
            "a-b",
            "a\"b",
            "\"",
            "\ud83d\ude00",
            "\ud800"
        }) line("atom[" + s + "]", () -> atom(s) + " " + new OtpErlangAtom(s).booleanValue());
        line("bool", () -> new OtpErlangBoolean(true) + " " + new OtpErlangBoolean(true).equals(atom("true")));
        line(
                "bin",
                () -> new OtpErlangBinary(new byte[3]) + " " + new OtpErlangBitstr(new byte[] {1, 2, -8}, 3) + " "
                        + new OtpErlangBitstr(new byte[] {1, 2, -1}, 3).binaryValue()[2]);
        line("tuple of null", () -> new OtpErlangTuple((OtpErlangObject[]) null));
        line("tuple of a part of null", () -> new OtpErlangTuple((OtpErlangObject[]) null, 0, 1));
        line("tuple of no part of null", () -> new OtpErlangTuple((OtpErlangObject[]) null, 0, 0));
        line("bits8", () -> new OtpErlangBitstr(new byte[] {1}, 8));
        line("bits-1", () -> new OtpErlangBitstr(new byte[] {1}, -1));
        line("bits0", () -> new OtpErlangBitstr(new byte[] {}, 1));
        line(
                "bitssize",
                () -> new OtpErlangBitstr(new byte[] {1, 2}, 3).size() + " "
                        + new OtpErlangBitstr(new byte[] {1, 2}, 3).pad_bits());
        line("binget", () -> new OtpErlangBinary(new byte[] {1}).getObject());
        line("encbitstr0", () -> encoded(new OtpErlangBitstr(new byte[] {1})));
        line("encbits", () -> encoded(new OtpErlangBitstr(new byte[] {1, -1}, 3)));
        line("binclone", () -> {
            OtpErlangBinary b = new OtpErlangBinary(new byte[] {1});
            OtpErlangBinary c = (OtpErlangBinary) b.clone();
            return (c == b) + " " + (c.binaryValue() == b.binaryValue()) + " " + (b.binaryValue() == b.binaryValue());
        });
        for (double d : new double[] {0, -0.0, 1, 1.5, 1e100, Double.NaN, Double.POSITIVE_INFINITY})
            line("dbl", () -> new OtpErlangDouble(d) + " " + new OtpErlangDouble(d).equals(new OtpErlangDouble(d)));
    }

    private void part1() {
        for (double d : new double[] {1e100, 0.1, 1.5, -0.0, 4.9e-324, Double.NaN, Double.NEGATIVE_INFINITY}) {
            line("floatv " + d, () -> new OtpErlangDouble(d).floatValue());
            line("read float " + d, () -> new OtpErlangFloat(new OtpInputStream(encoded(new OtpErlangDouble(d)))));
        }
        line("float", () -> new OtpErlangFloat(1.1f));
        line("encd", () -> encoded(new OtpErlangDouble(1.5)));
        line("encf", () -> encoded(new OtpErlangFloat(1.5f)));
        line("0 eq -0", () -> new OtpErlangDouble(0).equals(new OtpErlangDouble(-0.0)));
        line("xf", () -> new OtpErlangExternalFun("m", "f", 2));
        line("encxf", () -> encoded(new OtpErlangExternalFun("m", "f", 2)));
        line("fun1", () -> new OtpErlangFun(pid, "m", 3, 4, new OtpErlangObject[] {atom("x")}));
        line("encfun1", () -> encoded(new OtpErlangFun(pid, "m", 3, 4, new OtpErlangObject[] {atom("x")})));
        line("fun2", () -> new OtpErlangFun(pid, "m", 1, new byte[16], 9, 3, 4, new OtpErlangObject[] {atom("x")}));
        line(
                "encfun2",
                () -> encoded(new OtpErlangFun(pid, "m", 1, new byte[16], 9, 3, 4, new OtpErlangObject[] {atom("x")})));
        line("funrt", () -> {
            OtpErlangFun f = new OtpErlangFun(pid, "m", 1, new byte[16], 9, 3, 4, new OtpErlangObject[] {atom("x")});
            OtpErlangObject g = new OtpInputStream(encoded(f)).read_any();
            return g.equals(f) + " " + (g.hashCode() == f.hashCode()) + g;
        });
        line("funeq", () -> new OtpErlangFun(pid, "m", 3, 4, null).equals(new OtpErlangFun(pid, "m", 3, 4, null)));
        line(
                "list",
                () -> new OtpErlangList() + " " + new OtpErlangList(new OtpErlangObject[] {number(1), atom("b")}) + " "
                        + new OtpErlangList(new OtpErlangObject[] {number(1), atom("b")}, atom("t")) + " "
                        + new OtpErlangList("abc") + " " + new OtpErlangList(number(1)));
    }

    private void part2() {
        line("liststrnull", () -> new OtpErlangList((String) null));
        line("liststrempty", () -> new OtpErlangList(""));
        line("improperempty", () -> new OtpErlangList(new OtpErlangObject[] {}, atom("t")));
        line("impropernull", () -> new OtpErlangList(new OtpErlangObject[] {number(1)}, null) + "");
        line("impropernil", () -> new OtpErlangList(new OtpErlangObject[] {number(1)}, new OtpErlangList()).isProper());
        line(
                "improperlisttail",
                () -> new OtpErlangList(new OtpErlangObject[] {number(1)}, new OtpErlangList(number(2))) + " "
                        + new OtpErlangList(new OtpErlangObject[] {number(1)}, new OtpErlangList(number(2))).arity());
        line("lrange", () -> new OtpErlangList(new OtpErlangObject[] {number(1), number(2), number(3)}, 1, 2));
        line("l elementAt", () -> l3.elementAt(2) + " " + l3.elementAt(3) + " " + l3.elementAt(-1));
        line(
                "tails",
                () -> l3.getHead() + " " + l3.getTail() + " " + l3.getTail().getClass() + " " + l3.getNthTail(3) + " "
                        + l3.getNthTail(4) + " " + l3.getNthTail(0) + " " + l3.getLastTail());
        line(
                "emptyhead",
                () -> new OtpErlangList().getHead() + " " + new OtpErlangList().getTail() + " "
                        + new OtpErlangList().getNthTail(0) + " " + new OtpErlangList().getLastTail());
        line(
                "imtails",
                () -> im.getTail() + " " + im.getNthTail(2) + " " + im.getNthTail(3) + " " + im.getLastTail() + " "
                        + im.isProper() + " " + im.arity());
        line("listenc", () -> encoded(l3));
        line("listencim", () -> encoded(im));
        line("listencempty", () -> encoded(new OtpErlangList()));
    }

    private void part3() {
        line("subenc", () -> encoded(l3.getTail()));
        line("listAenc", () -> encoded(new OtpErlangList(new OtpErlangObject[] {atom("a"), number(1000)})));
        line("listit", () -> {
            Iterator<OtpErlangObject> i = im.iterator();
            String s = "";
            while (i.hasNext()) s += i.next();
            return s;
        });
        line("listitrm", () -> {
            Iterator<OtpErlangObject> i = im.iterator();
            i.next();
            i.remove();
            return 1;
        });
        line("subit", () -> {
            String s = "";
            for (OtpErlangObject o : (OtpErlangList) l3.getTail()) s += o;
            return s;
        });
        line("sv", () -> new OtpErlangList("abc").stringValue());
        line("sv2", () -> im.stringValue());
        line("sv3", () -> new OtpErlangList(atom("x")).stringValue());
        line("sv4", () -> new OtpErlangList(number(-1)).stringValue());
        line("sv5", () -> new OtpErlangList(array(number(-42), atom("x"))).stringValue());
        line("sv6", () -> new OtpErlangList(array(number(0x110000), number(1L << 40))).stringValue());
        line(
                "sv7",
                () -> ((OtpErlangList) new OtpErlangList(array(number(1), number(0x1f600))).getTail()).stringValue());
        line(
                "liststr",
                () -> new OtpErlangList("abc").elementAt(0).getClass() + " "
                        + Arrays.toString(encoded(new OtpErlangList("abc"))));
        line(
                "list eq str",
                () -> new OtpErlangList("abc").equals(new OtpErlangString("abc")) + " "
                        + new OtpErlangString("abc").equals(new OtpErlangList("abc")) + " "
                        + new OtpErlangString("abc").equals("abc") + " "
                        + (new OtpErlangString("abc").hashCode() == new OtpErlangList("abc").hashCode()) + " "
                        + "abc".hashCode() + " " + new OtpErlangString("abc").hashCode());
        line(
                "sub eq",
                () -> l3.getTail().equals(new OtpErlangList(new OtpErlangObject[] {number(2), number(3)})) + " "
                        + new OtpErlangList(new OtpErlangObject[] {number(2), number(3)}).equals(l3.getTail()) + " "
                        + (l3.getTail().hashCode()
                                == new OtpErlangList(new OtpErlangObject[] {number(2), number(3)}).hashCode()));
        line(
                "listclone",
                () -> l3.clone().equals(l3) + " " + (l3.clone() == l3) + " "
                        + ((OtpErlangList) l3.clone()).elementAt(0).equals(l3.elementAt(0))
                        + (((OtpErlangList) l3.clone()).elementAt(0) == l3.elementAt(0)));
        line("elements", () -> (l3.elements() == l3.elements()) + " " + im.elements().length);
    }

    private void part4() {
        for (String s : new String[] {"", "abc", "a\"b", "å", "\u1000", "\ud83d\ude00", "a\n", "\ud800"})
            line("str", () -> new OtpErlangString(s) + " " + Arrays.toString(encoded(new OtpErlangString(s))));
        line("strlong", () -> {
            byte[] e = encoded(new OtpErlangString("x".repeat(70000)));
            return e[0] + " " + e.length;
        });
        line("str65535", () -> {
            byte[] e = encoded(new OtpErlangString("x".repeat(65535)));
            return e[0] + " " + e.length;
        });
        line("str65536", () -> {
            byte[] e = encoded(new OtpErlangString("x".repeat(65536)));
            return e[0] + " " + e.length;
        });
        line("strlist", () -> new OtpErlangString(new OtpErlangList("ab")));
        line("strlistbad", () -> new OtpErlangString(new OtpErlangList(atom("x"))));
        line("strnull", () -> new OtpErlangString((String) null).toString());
        line("cps", () -> OtpErlangString.stringToCodePoints("a\ud83d\ude00"));
        line(
                "valid",
                () -> OtpErlangString.isValidCodePoint(0xd800) + " " + OtpErlangString.isValidCodePoint(0xfffe) + " "
                        + OtpErlangString.isValidCodePoint(0x10ffff) + " " + OtpErlangString.isValidCodePoint(0x110000)
                        + " " + OtpErlangString.isValidCodePoint(-1) + " " + OtpErlangString.isValidCodePoint(0)
                        + OtpErlangString.isValidCodePoint(0xfdd0));
        line("newString", () -> OtpErlangString.newString(new byte[] {97, (byte) 0xe5}));
        line("map", () -> m + " " + new OtpErlangMap());
        line("encmap", () -> encoded(m));
        line(
                "mapput",
                () -> m.put(atom("k"), number(9)) + " " + m.get(atom("k")) + " " + m.get(atom("zz")) + " "
                        + m.remove(number(2)) + " " + m.remove(number(2)) + " " + m.arity() + " " + m.entrySet() + " "
                        + Arrays.toString(m.keys()) + Arrays.toString(m.values()));
        line("mapbad", () -> new OtpErlangMap(new OtpErlangObject[] {atom("k")}, new OtpErlangObject[] {}));
    }

    private void part5() {
        line("mapnullk", () -> new OtpErlangMap(new OtpErlangObject[] {null}, new OtpErlangObject[] {atom("v")}));
        line(
                "maprange",
                () -> new OtpErlangMap(
                        new OtpErlangObject[] {atom("a"), atom("b")}, 1, 1, new OtpErlangObject[] {number(1)}, 0, 1));
        line(
                "maprangebad",
                () -> new OtpErlangMap(
                        new OtpErlangObject[] {atom("a"), atom("b")}, 1, 1, new OtpErlangObject[] {number(1)}, 0, 2));
        line("mapputnull", () -> m.put(atom("q"), null));
        line("mapclone", () -> {
            OtpErlangMap c = (OtpErlangMap) m.clone();
            c.put(atom("w"), number(1));
            return m.arity() + " " + c.arity();
        });
        line(
                "mapeq",
                () -> new OtpErlangMap(
                                new OtpErlangObject[] {atom("a"), atom("b")},
                                new OtpErlangObject[] {number(1), number(2)})
                        .equals(new OtpErlangMap(
                                new OtpErlangObject[] {atom("b"), atom("a")},
                                new OtpErlangObject[] {number(2), number(1)})));
        line("pid", () -> pid + " " + pid.id() + " " + pid.serial() + " " + pid.creation() + " " + pid.node());
        line("encpid", () -> encoded(pid));
        line("pidneg", () -> new OtpErlangPid("n@h", -1, -1, -1));
        line("encpidneg", () -> encoded(new OtpErlangPid("n@h", -1, -1, -1)));
        line("piddec103", () -> {
            OtpErlangPid q = (OtpErlangPid) decoded(103, 119, 1, 97, 255, 255, 255, 255, 255, 255, 255, 255, 255);
            return q + " " + q.id() + " " + q.serial() + " " + q.creation() + " " + Arrays.toString(encoded(q));
        });
        line("piddec88", () -> {
            OtpErlangPid q =
                    (OtpErlangPid) decoded(88, 119, 1, 97, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 2, 3);
            return q + " " + q.id() + " " + q.serial() + " " + q.creation() + " " + Arrays.toString(encoded(q));
        });
        line(
                "pidcmp",
                () -> pid.compareTo(new OtpErlangPid("n@h", 5, 6, 8)) + " "
                        + pid.compareTo(new OtpErlangPid("n@h", 5, 7, 6)) + " "
                        + pid.compareTo(new OtpErlangPid("n@h", 6, 6, 7)) + " "
                        + pid.compareTo(new OtpErlangPid("m@h", 6, 6, 7)) + " " + pid.compareTo(pid));
        line("pidcmpx", () -> pid.compareTo("x"));
    }

    private void part6() {
        line("pideq", () -> pid.equals(new OtpErlangPid("n@h", 5, 6, 8)) + " " + pid.equals(null));
        line("port", () -> {
            OtpErlangPort q = new OtpErlangPort("n@h", 5, 6);
            return q + " " + Arrays.toString(encoded(q)) + q.id() + " " + q.creation();
        });
        line("portbig", () -> {
            OtpErlangPort q = new OtpErlangPort("n@h", 1L << 40, 6);
            return q + " " + Arrays.toString(encoded(q));
        });
        line("portneg", () -> {
            OtpErlangPort q = new OtpErlangPort("n@h", -1, -1);
            return q + " " + Arrays.toString(encoded(q)) + q.creation();
        });
        line("port102", () -> {
            OtpErlangPort q = (OtpErlangPort) decoded(102, 119, 1, 97, 255, 255, 255, 255, 255);
            return q + " " + q.id() + " " + q.creation() + " " + Arrays.toString(encoded(q));
        });
        line("port89", () -> {
            OtpErlangPort q = (OtpErlangPort) decoded(89, 119, 1, 97, 255, 255, 255, 255, 255, 0, 0, 1);
            return q + " " + q.id() + " " + q.creation() + " " + Arrays.toString(encoded(q));
        });
        line("port120", () -> {
            OtpErlangPort q = (OtpErlangPort) decoded(120, 119, 1, 97, 255, 255, 255, 255, 255, 0, 0, 1, 0, 0, 0, 9);
            return q + " " + q.id() + " " + q.creation() + " " + Arrays.toString(encoded(q));
        });
        line("porttag", () -> {
            String s = "";
            for (int t : new int[] {102, 89, 120, 5}) {
                OtpErlangPort q = new OtpErlangPort(t, "n@h", 0x1fffffffffL, 0x1ff);
                s += q + " " + q.id() + " " + q.creation() + " " + Arrays.toString(encoded(q)) + ";";
            }
            return s;
        });
        line("ref", () -> {
            OtpErlangRef q = new OtpErlangRef("n@h", 5, 6);
            return q + " " + Arrays.toString(encoded(q)) + q.id() + q.isNewRef() + Arrays.toString(q.ids());
        });
        line("ref3", () -> {
            OtpErlangRef q = new OtpErlangRef("n@h", new int[] {1, 2, 3}, 6);
            return q + " " + Arrays.toString(encoded(q)) + q.id() + q.isNewRef() + Arrays.toString(q.ids());
        });
        line("ref3neg", () -> {
            OtpErlangRef q = new OtpErlangRef("n@h", new int[] {-1, -2, -3}, -6);
            return q + " " + Arrays.toString(encoded(q)) + q.id() + q.isNewRef() + Arrays.toString(q.ids())
                    + q.creation();
        });
        line("ref1arr", () -> {
            OtpErlangRef q = new OtpErlangRef("n@h", new int[] {1}, 6);
            return q + " " + q.isNewRef() + Arrays.toString(encoded(q));
        });
        line("ref5", () -> {
            OtpErlangRef q = new OtpErlangRef("n@h", new int[] {1, 2, 3, 4, 5}, 6);
            return q + " " + Arrays.toString(encoded(q));
        });
        line("ref6", () -> {
            OtpErlangRef q = new OtpErlangRef("n@h", new int[] {1, 2, 3, 4, 5, 6}, 6);
            return q + " " + Arrays.toString(encoded(q));
        });
    }

    private void part7() {
        line("ref0", () -> {
            OtpErlangRef q = new OtpErlangRef("n@h", new int[] {}, 6);
            return q + " " + Arrays.toString(encoded(q));
        });
        line("ref101", () -> {
            OtpErlangRef q = (OtpErlangRef) decoded(101, 119, 1, 97, 255, 255, 255, 255, 255);
            return q + " " + q.isNewRef() + q.creation() + Arrays.toString(q.ids()) + Arrays.toString(encoded(q));
        });
        line("ref114", () -> {
            OtpErlangRef q = (OtpErlangRef) decoded(114, 0, 2, 119, 1, 97, 255, 255, 255, 255, 255, 0, 0, 0, 1);
            return q + " " + q.isNewRef() + q.creation() + Arrays.toString(q.ids()) + Arrays.toString(encoded(q));
        });
        line("ref90", () -> {
            OtpErlangRef q = (OtpErlangRef) decoded(90, 0, 2, 119, 1, 97, 0, 0, 0, 1, 255, 255, 255, 255, 0, 0, 0, 1);
            return q + " " + q.isNewRef() + q.creation() + Arrays.toString(q.ids()) + Arrays.toString(encoded(q));
        });
        line("reftag", () -> {
            String s = "";
            for (int t : new int[] {114, 90, 101, 5}) {
                OtpErlangRef q = new OtpErlangRef(t, "n@h", new int[] {0x7fffffff, -1, 3}, 0x1ff);
                s += q + " " + q.creation() + " " + Arrays.toString(q.ids()) + Arrays.toString(encoded(q)) + ";";
            }
            return s;
        });
        line(
                "refeq",
                () -> new OtpErlangRef("n@h", new int[] {1, 2}, 6)
                                .equals(new OtpErlangRef("n@h", new int[] {1, 2, 0}, 6))
                        + " "
                        + new OtpErlangRef("n@h", new int[] {1, 2}, 6)
                                .equals(new OtpErlangRef("n@h", new int[] {1, 2}, 7))
                        + " " + new OtpErlangRef("n@h", new int[] {1}, 6).equals(new OtpErlangRef("n@h", 1, 6)));
        line(
                "tup",
                () -> new OtpErlangTuple(new OtpErlangObject[] {atom("x"), number(1)}) + " "
                        + new OtpErlangTuple(number(1)) + new OtpErlangTuple(new OtpErlangObject[0]));
        line("tupnull", () -> new OtpErlangTuple((OtpErlangObject) null));
        line("tupnulle", () -> new OtpErlangTuple(new OtpErlangObject[] {atom("x"), null}));
        line("tuprange", () -> new OtpErlangTuple(new OtpErlangObject[] {atom("x"), number(1)}, 1, 1));
        line(
                "tupat",
                () -> new OtpErlangTuple(number(1)).elementAt(1) + " " + new OtpErlangTuple(number(1)).elementAt(-1));
        line("tupenc", () -> encoded(new OtpErlangTuple(number(1))));
        line("tup256", () -> {
            OtpErlangObject[] o = new OtpErlangObject[256];
            Arrays.fill(o, number(1));
            return encoded(new OtpErlangTuple(o));
        });
        for (String s : new String[] {
            "0",
            "255",
            "256",
            "-1",
            "134217727",
            "134217728",
            "-134217728",
            "-134217729",
            "2147483647",
            "2147483648",
            "-2147483648",
            "-2147483649",
            "9223372036854775807",
            "-9223372036854775808"
        }) {
            OtpErlangLong q = new OtpErlangLong(new BigInteger(s));
            line(
                    "int " + s,
                    () -> q + " " + Arrays.toString(encoded(q)) + q.isLong() + q.isULong() + q.bitLength() + " "
                            + q.signum() + " " + q.longValue() + " " + q.bigIntegerValue() + " "
                            + new OtpInputStream(encoded(q)).read_any().equals(q));
            line(" intv", () -> q.intValue());
            line(" uintv", () -> q.uIntValue());
            line(" sh", () -> q.shortValue());
            line(" ush", () -> q.uShortValue());
            line(" ch", () -> q.charValue());
            line(" by", () -> q.byteValue());
        }
    }

    private void part8() {
        line(
                "long(long) enc",
                () -> Arrays.toString(encoded(number(Long.MIN_VALUE)))
                        + number(5).bitLength() + " " + number(-1).bitLength() + " "
                        + number(Long.MIN_VALUE).bitLength());
        line(
                "longeq",
                () -> number(5).equals(new OtpErlangInt(5)) + " " + new OtpErlangLong(BigInteger.ONE).equals(number(1))
                        + " "
                        + (new OtpErlangLong(BigInteger.ONE).hashCode()
                                == number(1).hashCode()) + " " + number(1).hashCode() + " "
                        + (new OtpErlangByte((byte) 1).hashCode() == number(1).hashCode()));
        line("uint", () -> new OtpErlangUInt(-1));
        line("ushort", () -> new OtpErlangUShort((short) -1));
        line(
                "byte",
                () -> new OtpErlangByte((byte) -1) + " " + new OtpErlangChar('a') + " " + new OtpErlangShort((short) -2)
                        + " " + new OtpErlangUShort((short) 2) + " " + new OtpErlangInt(-3));
        line("big bits", () -> {
            OtpErlangLong q = new OtpErlangLong(BigInteger.ONE.shiftLeft(200));
            return q + " " + q.longValue() + " " + q.bitLength() + Arrays.toString(encoded(q));
        });
        line("bigbig", () -> {
            byte[] e = encoded(new OtpErlangLong(BigInteger.ONE.shiftLeft(3000)));
            return (e[0] & 255) + " " + e.length;
        });
        line("bigbig2041", () -> {
            byte[] e = encoded(new OtpErlangLong(BigInteger.ONE.shiftLeft(2040)));
            return (e[0] & 255) + " " + e.length;
        });
        line("dec str", () -> decoded(107, 0, 2, 97, 98).getClass());
        line("dec list", () -> decoded(108, 0, 0, 0, 1, 97, 1, 106).getClass());
        line("dec true", () -> decoded(119, 4, 116, 114, 117, 101).getClass());
        line("dec bin0bits", () -> decoded(77, 0, 0, 0, 1, 8, 3).getClass());
        line("dec bits", () -> decoded(77, 0, 0, 0, 1, 3, 255) + "");
        line("bitsbytes", () -> ((OtpErlangBitstr) decoded(77, 0, 0, 0, 1, 3, 255)).binaryValue());
    }

    private void part9() {
        line("dec ver", () -> decoded(131, 97, 1));
        line("dec 100", () -> decoded(100, 0, 1, 229));
        line("dec junk", () -> decoded(1));
        line("dec none", () -> decoded());
        line(
                "dec int",
                () -> decoded(98, 0, 0, 0, 1).getClass() + " " + decoded(97, 1).getClass() + " "
                        + decoded(110, 8, 0, 0, 0, 0, 0, 0, 0, 0, 128).getClass());
        line(
                "dec bigzero",
                () -> decoded(110, 9, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0) + " "
                        + Arrays.toString(encoded(decoded(110, 9, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0))));
        line("dec neg0", () -> decoded(110, 1, 1, 0));
        line(
                "dec floatold",
                () -> decoded(
                        99, 49, 46, 53, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 101,
                        43, 48, 48, 0, 0, 0, 0, 0));
        line("dec nil", () -> decoded(106).getClass());
        line("dec mapdup", () -> decoded(116, 0, 0, 0, 2, 97, 1, 97, 2, 97, 1, 97, 3));
        line("listtail", () -> decoded(108, 0, 0, 0, 1, 97, 1, 108, 0, 0, 0, 1, 97, 2, 106));
        line("list0", () -> decoded(108, 0, 0, 0, 0, 106) + "");
        line("atom utf8 bad", () -> decoded(119, 1, 255));
        line("bits9", () -> decoded(77, 0, 0, 0, 1, 9, 1));
    }

    private void part10() {
        line("bitsz", () -> decoded(77, 0, 0, 0, 0, 1));
        line("str elements", () -> decoded(107, 0, 2, 0, 255) + "");
    }
}
