package dev.touchstone.jinterface;

import com.ericsson.otp.erlang.GenericQueue;
import com.ericsson.otp.erlang.OtpErlangExit;
import com.ericsson.otp.erlang.OtpErlangList;
import com.ericsson.otp.erlang.OtpErlangMap;
import com.ericsson.otp.erlang.OtpErlangObject;
import com.ericsson.otp.erlang.OtpErlangPid;
import com.ericsson.otp.erlang.OtpErlangString;
import com.ericsson.otp.erlang.OtpErlangTuple;
import com.ericsson.otp.erlang.OtpInputStream;
import com.ericsson.otp.erlang.OtpOutputStream;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Calls of both streams, of patterns, exits and queues. */
public final class StreamProbe extends Trace implements Function<Integer, List<String>> {
    private final OtpErlangObject v = new Placeholder("A");

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
        return lines();
    }

    private void part0() {
        line("readN", () -> {
            OtpInputStream i = in(1, 2, 3);
            byte[] b = new byte[2];
            return i.readN(b) + " " + i.getPos() + " " + i.setPos(0) + " " + i.read1() + " " + i.peek() + i.peek1();
        });
        line("readNshort", () -> in(1).readN(new byte[2]));
        line("readN0", () -> in().readN(new byte[0]));
        line("setpos", () -> {
            OtpInputStream i = in(1, 2, 3);
            return i.setPos(99) + " " + i.getPos() + " " + i.setPos(-5) + " " + i.getPos();
        });
        line("ctor", () -> new OtpInputStream(new byte[] {1, 2, 3, 4}, 1, 2, 0).available());
        line("peekend", () -> in().peek());
        line("peek1end", () -> in().peek1());
        line("peekneg", () -> in(200).peek() + " " + in(200).peek1());
        line(
                "peekskip",
                () -> in(131, 97).peek1skip_version() + " " + in(131, 97).read1skip_version() + " "
                        + in(97, 3).read1skip_version());
        line(
                "be",
                () -> in(255, 254).read2BE() + " " + in(255, 254, 1, 2).read4BE() + " "
                        + in(255, 254, 1, 2, 3, 4, 5, 6).read8BE() + " "
                        + in(255, 254).read2LE() + " " + in(255, 254, 1, 255).read4LE() + " "
                        + in(255, 254, 1).readLE(3) + " " + in(255, 254, 1).readBE(3));
        line("be8", () -> in(1, 2, 3, 4, 5, 6, 7, 255).readLE(8));
        line("be9", () -> in(1, 2, 3, 4, 5, 6, 7, 8, 9).readBE(9));
        line(
                "read_boolean",
                () -> in(119, 4, 116, 114, 117, 101).read_boolean() + " "
                        + in(119, 1, 97).read_boolean());
        line(
                "read_atom",
                () -> in(119, 1, 97).read_atom()
                        + in(131, 119, 1, 97).read_atom()
                        + in(118, 0, 1, 97).read_atom());
    }

    private void part1() {
        line("read_atom_bad", () -> in(97, 1).read_atom());
        line("read_binary", () -> in(109, 0, 0, 0, 1, 5).read_binary());
        line("read_binary_bad", () -> in(97, 1).read_binary());
        line("read_bitstr", () -> {
            int[] pad = new int[1];
            byte[] b = in(77, 0, 0, 0, 1, 3, 255).read_bitstr(pad);
            return b[0] + " " + pad[0] + " " + in(109, 0, 0, 0, 1, 5).read_bitstr(pad).length + pad[0];
        });
        line("read_binaryFromBits", () -> in(77, 0, 0, 0, 1, 8, 255).read_binary());
        line(
                "read_float",
                () -> in(70, 63, 248, 0, 0, 0, 0, 0, 0).read_float() + " "
                        + in(70, 63, 248, 0, 0, 0, 0, 0, 0).read_double());
        line("read_double_bad", () -> in(97, 1).read_double());
        line(
                "ints",
                () -> in(97, 1).read_byte() + " " + in(97, 97).read_char() + " "
                        + in(97, 1).read_uint() + " "
                        + in(98, 255, 255, 255, 255).read_int() + " "
                        + in(97, 1).read_ushort() + " "
                        + in(97, 1).read_short() + " " + in(97, 1).read_ulong() + " "
                        + in(110, 8, 1, 0, 0, 0, 0, 0, 0, 0, 128).read_long());
        line(
                "ulongbig",
                () -> in(110, 8, 0, 255, 255, 255, 255, 255, 255, 255, 255).read_ulong() + " "
                        + in(110, 8, 0, 255, 255, 255, 255, 255, 255, 255, 255).read_long(true));
        line(
                "longbig",
                () -> in(110, 8, 0, 255, 255, 255, 255, 255, 255, 255, 255).read_long());
        line("long9", () -> in(110, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1).read_long());
        line("uintneg", () -> in(98, 255, 255, 255, 255).read_uint());
        line("byte big", () -> in(97, 200).read_byte());
        line("char neg", () -> in(98, 255, 255, 255, 255).read_char());
    }

    private void part2() {
        line("short", () -> in(98, 0, 1, 0, 0).read_short());
        line("ushort", () -> in(98, 0, 0, 255, 255).read_ushort() + "");
        line("uint", () -> in(110, 4, 0, 255, 255, 255, 255).read_uint());
        line("int", () -> in(110, 4, 0, 255, 255, 255, 255).read_int());
        line("readlongbad", () -> in(119, 1, 97).read_long());
        line("iba", () -> in(110, 2, 0, 1, 2).read_integer_byte_array());
        line("iba97", () -> in(97, 200).read_integer_byte_array());
        line("iba98", () -> in(98, 255, 255, 255, 254).read_integer_byte_array());
        line("iba neg", () -> in(110, 2, 1, 1, 200).read_integer_byte_array());
        line("ibapos", () -> in(110, 2, 0, 1, 200).read_integer_byte_array());
        line("iba0", () -> in(110, 0, 0).read_integer_byte_array());
        line(
                "b2l",
                () -> OtpInputStream.byte_array_to_long(new byte[] {(byte) 255, 0}, false) + " "
                        + OtpInputStream.byte_array_to_long(new byte[] {(byte) 255}, true));
        line(
                "b2lu",
                () -> OtpInputStream.byte_array_to_long(new byte[] {0, (byte) 255, -1, -1, -1, -1, -1, -1, -1}, true)
                        + "");
        line("b2le", () -> OtpInputStream.byte_array_to_long(new byte[0], false));
    }

    private void part3() {
        line("b2l9", () -> OtpInputStream.byte_array_to_long(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9}, false));
        line(
                "lh",
                () -> in(108, 0, 0, 0, 3).read_list_head() + " " + in(106).read_list_head() + " "
                        + in(107, 0, 5).read_list_head());
        line("lhbad", () -> in(97, 1).read_list_head());
        line(
                "th",
                () -> in(104, 3).read_tuple_head() + " " + in(105, 0, 0, 0, 3).read_tuple_head());
        line("thbad", () -> in(97, 1).read_tuple_head());
        line("nil", () -> in(106).read_nil());
        line("nilbad", () -> in(97, 1).read_nil());
        line("nil108", () -> in(108, 0, 0, 0, 0).read_nil());
        line("mh", () -> in(116, 0, 0, 0, 3).read_map_head());
        line("mhbad", () -> in(97, 1).read_map_head());
        line("pidbad", () -> in(97, 1).read_pid());
        line("portbad", () -> in(97, 1).read_port());
        line("refbad", () -> in(97, 1).read_ref());
        line("funbad", () -> in(97, 1).read_fun());
    }

    private void part4() {
        line("xfbad", () -> in(97, 1).read_external_fun());
        line(
                "strs",
                () -> in(107, 0, 1, 97).read_string()
                        + in(106).read_string()
                        + in(108, 0, 0, 0, 1, 97, 98, 106).read_string());
        line("strbad", () -> in(97, 1).read_string());
        line("stratoms", () -> in(108, 0, 0, 0, 1, 119, 1, 97, 106).read_string());
        line("strneg", () -> in(108, 0, 0, 0, 1, 98, 255, 255, 255, 255, 106).read_string());
        line("strimp", () -> in(108, 0, 0, 0, 1, 97, 98, 97, 1).read_string());
        line(
                "strlisthead flag",
                () -> new OtpInputStream(new byte[] {107, 0, 1, 97}, 0, 4, OtpInputStream.DECODE_INT_LISTS_AS_STRINGS)
                                .read_any()
                                .getClass()
                        + " " + OtpInputStream.DECODE_INT_LISTS_AS_STRINGS);
        line("flaglist", () -> {
            byte[] b = {108, 0, 0, 0, 1, 97, 98, 106};
            OtpErlangObject o = new OtpInputStream(b, 0, b.length, 1).read_any();
            return o.getClass() + "" + o;
        });
        line("flaglistnil", () -> {
            byte[] b = {106};
            return new OtpInputStream(b, 0, b.length, 1).read_any().getClass();
        });
        line("flaglistbig", () -> {
            byte[] b = {108, 0, 0, 0, 1, 98, 0, 0, 1, 0, 106};
            OtpErlangObject o = new OtpInputStream(b, 0, b.length, 1).read_any();
            return o.getClass() + "" + o;
        });
        line("flaglist1", () -> {
            byte[] b = {107, 0, 1, 97};
            OtpErlangObject o = new OtpInputStream(b, 0, b.length, 0).read_any();
            return o.getClass() + "" + o;
        });
        line("comp", () -> written(o -> o.write_compressed(new OtpErlangList("x".repeat(500)))));
        line("comp small", () -> written(o -> o.write_compressed(atom("x"))));
        line("comp lvl0", () -> written(o -> o.write_compressed(new OtpErlangList("x".repeat(5)), 0)));
    }

    private void part5() {
        line("comp read", () -> {
            OtpErlangObject l = new OtpErlangList("x".repeat(500));
            return new OtpInputStream(written(o -> o.write_compressed(l)))
                    .read_any()
                    .equals(l);
        });
        line("complvl9", () -> written(o -> o.write_compressed(new OtpErlangList("x".repeat(500)), 9)).length);
        line("complvl11", () -> written(o -> o.write_compressed(new OtpErlangList("x".repeat(500)), 11)).length);
        line("comptrunc", () -> in(80, 0, 0, 1, 0, 120, 156).read_any());
        line("compwrong", () -> {
            byte[] b = written(o -> o.write_compressed(new OtpErlangList("x".repeat(500))));
            b[4]++;
            return new OtpInputStream(b).read_any();
        });
        line(
                "w ints",
                () -> written(o -> {
                    o.write1(300);
                    o.write2BE(0x12345);
                    o.write4BE(-2);
                    o.write8BE(-3);
                    o.write2LE(0x1234);
                    o.write4LE(0x12345678);
                    o.write8LE(1);
                    o.writeLE(0x123456, 3);
                    o.writeN(new byte[] {9});
                }));
        line(
                "poke",
                () -> written(o -> {
                    o.write4BE(0);
                    o.poke4BE(0, -2);
                }));
        line("pokebad", () -> written(o -> o.poke4BE(1, -2)));
        line("len", () -> {
            OtpOutputStream o = new OtpOutputStream(5);
            o.write((byte) 1);
            o.write(2);
            o.write(new byte[] {3});
            o.write(new byte[] {1, 2, 3}, 1, 2);
            return o.length() + " " + o.count() + " " + o.getPos() + " " + o.size() + Arrays.toString(o.toByteArray());
        });
        line("w atom", () -> written(o -> o.write_atom("å")));
        line("w atom long2", () -> written(o -> o.write_atom("å".repeat(200))));
        line(
                "w bool",
                () -> written(o -> {
                    o.write_boolean(true);
                    o.write_byte((byte) -1);
                    o.write_char('a');
                    o.write_double(1);
                    o.write_float(1.1f);
                    o.write_short((short) -1);
                    o.write_ushort((short) -1);
                }));
        line(
                "w uint",
                () -> written(o -> {
                    o.write_int(-1);
                    o.write_uint(-1);
                    o.write_ulong(-1);
                    o.write_long(-1);
                }));
        line(
                "w bi",
                () -> written(o -> {
                    o.write_big_integer(BigInteger.TEN);
                    o.write_big_integer(BigInteger.ONE.shiftLeft(64).negate());
                }));
    }

    private void part6() {
        line(
                "w heads",
                () -> written(o -> {
                    o.write_list_head(0);
                    o.write_list_head(2);
                    o.write_tuple_head(2);
                    o.write_tuple_head(300);
                    o.write_map_head(2);
                    o.write_nil();
                }));
        line(
                "w pid",
                () -> written(o -> {
                    o.write_pid("a@b", 1 << 20, 2 << 20, 5);
                }));
        line(
                "w port",
                () -> written(o -> {
                    o.write_port("a@b", 1L << 33, 5);
                }));
        line(
                "w port2",
                () -> written(o -> {
                    o.write_port("a@b", 1L << 31, 5);
                }));
        line(
                "w port3",
                () -> written(o -> {
                    o.write_port("a@b", 1L << 28, 500);
                }));
        line(
                "w port4",
                () -> written(o -> {
                    o.write_port("a@b", (1L << 28) - 1, 500);
                }));
        line(
                "w ref",
                () -> written(o -> {
                    o.write_ref("a@b", -1, 5);
                }));
        line(
                "w refs",
                () -> written(o -> {
                    o.write_ref("a@b", new int[] {-1, 2, 3}, 500);
                }));
        line(
                "w string",
                () -> written(o -> {
                    o.write_string("ab");
                    o.write_string("");
                }));
        line(
                "w bits",
                () -> written(o -> {
                    o.write_bitstr(new byte[] {1, -1}, 3);
                    o.write_bitstr(new byte[] {1}, 0);
                }));
        line(
                "w fun",
                () -> written(o -> o.write_fun(
                        new OtpErlangPid("a@b", 1, 2, 3), "m", 1, 5, new byte[16], 2, 3, new OtpErlangObject[0])));
        line("w xf", () -> written(o -> o.write_external_fun("m", "f", 300)));
        line("w binary", () -> written(o -> o.write_binary(new byte[] {1})));
        line(
                "match",
                () -> atom("x").match(atom("x"), null) + " " + atom("x").bind(null) + " "
                        + new OtpErlangTuple(atom("x")).match(new OtpErlangTuple(atom("y")), null) + " "
                        + new OtpErlangTuple(atom("x")).match(atom("x"), null));
    }

    private void part7() {
        line("matchv", () -> {
            Map<String, OtpErlangObject> m = new HashMap<>();
            boolean b = new OtpErlangTuple(new OtpErlangObject[] {atom("x"), v})
                    .match(new OtpErlangTuple(new OtpErlangObject[] {atom("x"), number(5)}), m);
            return b + " " + m + " " + new OtpErlangTuple(new OtpErlangObject[] {atom("x"), v}).bind(m)
                    + new OtpErlangList(new OtpErlangObject[] {v}, v).bind(m)
                    + new OtpErlangList(v).match(new OtpErlangList(atom("q")), new HashMap<>())
                    + new OtpErlangMap(new OtpErlangObject[] {atom("k")}, new OtpErlangObject[] {v})
                            .match(
                                    new OtpErlangMap(
                                            new OtpErlangObject[] {atom("k"), atom("z")},
                                            new OtpErlangObject[] {number(1), number(2)}),
                                    new HashMap<>())
                    + new OtpErlangMap(new OtpErlangObject[] {atom("k")}, new OtpErlangObject[] {v}).bind(m)
                    + new OtpErlangMap(new OtpErlangObject[] {atom("k"), atom("z")}, new OtpErlangObject[] {v, v})
                            .match(
                                    new OtpErlangMap(
                                            new OtpErlangObject[] {atom("k")}, new OtpErlangObject[] {number(1)}),
                                    new HashMap<>());
        });
        line("matchkey", () -> {
            Map<String, OtpErlangObject> m = new HashMap<>();
            return new OtpErlangMap(new OtpErlangObject[] {v}, new OtpErlangObject[] {atom("q")})
                            .match(
                                    new OtpErlangMap(
                                            new OtpErlangObject[] {atom("k")}, new OtpErlangObject[] {atom("q")}),
                                    m)
                    + " " + m;
        });
        line(
                "matchsub",
                () -> new OtpErlangList(new OtpErlangObject[] {atom("k")}, v)
                        .match(new OtpErlangList(new OtpErlangObject[] {atom("k"), atom("q")}), new HashMap<>()));
        line(
                "matchsub2",
                () -> new OtpErlangList(new OtpErlangObject[] {atom("k")}, v)
                        .match(new OtpErlangList(new OtpErlangObject[] {atom("k")}), new HashMap<>()));
        line(
                "matchstr",
                () -> new OtpErlangList(new OtpErlangObject[] {v}).match(new OtpErlangString("a"), new HashMap<>()));
        line("exit2", () -> new OtpErlangExit(number(3)).getMessage());
        line("gq", () -> {
            GenericQueue q = new GenericQueue();
            q.put(1);
            q.put(2);
            Object x = q.tryGet();
            return x + " " + q.getCount() + " " + q.get() + " " + q.tryGet() + " " + q.get(5);
        });
        line("gqclosed", () -> {
            GenericQueue q = new GenericQueue();
            q.close();
            q.put(1);
            return q.tryGet() + " " + q.get(10) + " " + q.get();
        });
        line("gqflush", () -> {
            GenericQueue q = new GenericQueue();
            q.put(1);
            q.flush();
            return q.getCount() + " " + q.tryGet();
        });
    }

    /** A placeholder, as programs write them for patterns. */
    private static final class Placeholder extends OtpErlangObject {
        private static final long serialVersionUID = 1;

        private final String name;

        Placeholder(String name) {
            this.name = name;
        }

        @Override
        public String toString() {
            return name;
        }

        @Override
        public void encode(OtpOutputStream out) {}

        @Override
        public boolean equals(Object other) {
            return other == this;
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T> boolean match(OtpErlangObject term, T binds) {
            ((Map<String, OtpErlangObject>) binds).put(name, term);
            return true;
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T> OtpErlangObject bind(T binds) {
            return ((Map<String, OtpErlangObject>) binds).get(name);
        }
    }
}
