package dev.touchstone.jinterface;

import com.ericsson.otp.erlang.OtpConnection;
import com.ericsson.otp.erlang.OtpEpmd;
import com.ericsson.otp.erlang.OtpErlangBinary;
import com.ericsson.otp.erlang.OtpErlangBitstr;
import com.ericsson.otp.erlang.OtpErlangDouble;
import com.ericsson.otp.erlang.OtpErlangExit;
import com.ericsson.otp.erlang.OtpErlangExternalFun;
import com.ericsson.otp.erlang.OtpErlangList;
import com.ericsson.otp.erlang.OtpErlangLong;
import com.ericsson.otp.erlang.OtpErlangMap;
import com.ericsson.otp.erlang.OtpErlangObject;
import com.ericsson.otp.erlang.OtpErlangPid;
import com.ericsson.otp.erlang.OtpErlangString;
import com.ericsson.otp.erlang.OtpErlangTuple;
import com.ericsson.otp.erlang.OtpMbox;
import com.ericsson.otp.erlang.OtpMsg;
import com.ericsson.otp.erlang.OtpNode;
import com.ericsson.otp.erlang.OtpPeer;
import com.ericsson.otp.erlang.OtpSelf;
import java.io.IOException;
import java.math.BigInteger;
import java.util.List;
import java.util.function.Function;

/** Calls of a node, and of a connection, with a real Erlang node {@code erl@localhost} that runs {@link #SERVER}. */
public final class ErlangProbe extends Trace implements Function<Integer, List<String>> {
    /** The process {@code server}: does what it is told, and answers. */
    static final String SERVER = "spawn(fun() -> register(server, self()), "
            + "(fun L() -> receive {P, echo, T} -> P ! T; "
            + "{P, term, N} -> P ! element(N, {self(), make_ref(), hd(erlang:ports()), fun lists:map/2, fun(A) -> A end, "
            + "<<5:3>>, #{a => 1}, \"text\", [1000], [a | b], 1 bsl 90, -1, 1.5, <<1, 2>>, {}, [], 'A b'}); "
            + "{P, victim} -> P ! spawn(fun() -> receive R -> exit(R) end end); "
            + "{P, exit, R} -> exit(P, R); {P, link} -> spawn(fun() -> link(P), P ! self(), receive R -> exit(R) end end); "
            + "{P, ping, N} -> P ! net_adm:ping(N); {P, send, N, A, T} -> {N, A} ! T, P ! sent end, L() end)() end), ok";

    private static final long WAIT = 20_000;
    private static final String ERL = "erl@localhost";
    private static final int TERMS = 17;

    private OtpNode node;
    private OtpMbox box;
    private OtpSelf self;
    private OtpConnection connection;

    @Override
    public List<String> apply(Integer epmdPort) {
        OtpEpmd.useEpmdPort(epmdPort);
        try {
            node = new OtpNode("java@localhost", ErlangShell.COOKIE);
            box = node.createMbox("box");
            terms();
            links();
            connection();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } finally {
            node.close();
        }
        return lines();
    }

    private void tell(OtpErlangObject... words) {
        OtpErlangObject[] message = new OtpErlangObject[words.length + 1];
        message[0] = box.self();
        System.arraycopy(words, 0, message, 1, words.length);
        box.send("server", ERL, new OtpErlangTuple(message));
    }

    private OtpErlangObject ask(OtpErlangObject... words) throws Exception {
        tell(words);
        return box.receive(WAIT);
    }

    private void terms() {
        line("ping", () -> node.ping(ERL, WAIT));
        line("ping back", () -> ask(atom("ping"), atom("java@localhost")));
        OtpErlangMap map = new OtpErlangMap(array(atom("k")), array(number(1)));
        OtpErlangObject[] terms = {
            atom("a"),
            atom("\u00e5\u1000"),
            number(5),
            number(1L << 40),
            new OtpErlangLong(BigInteger.ONE.shiftLeft(70).negate()),
            new OtpErlangDouble(1.5),
            new OtpErlangBinary(new byte[] {1, 2}),
            new OtpErlangBitstr(new byte[] {1, (byte) 0xe0}, 5),
            new OtpErlangString("text"),
            new OtpErlangString("\u1000"),
            new OtpErlangList(array(atom("a"), number(1000))),
            new OtpErlangTuple(array()),
            map,
            box.self(),
            node.createRef(),
            node.createPort(),
            new OtpErlangExternalFun("lists", "map", 2)
        };
        for (int i = 0; i < terms.length; i++) {
            OtpErlangObject term = terms[i];
            line("echo " + i, () -> {
                OtpErlangObject back = ask(atom("echo"), term);
                return back.equals(term) + " " + back.getClass();
            });
        }
        for (int i = 1; i <= TERMS; i++) {
            int number = i;
            line("term " + i, () -> {
                OtpErlangObject term = ask(atom("term"), number(number));
                boolean same = ask(atom("echo"), term).equals(term);
                return same + " " + term.getClass() + " " + term.toString().replaceAll("[0-9]{2,}|<erl.*", "N");
            });
        }
    }

    private void links() {
        line("exit", () -> {
            tell(atom("exit"), atom("stop"));
            return box.receive(WAIT);
        });
        line("kill", () -> {
            tell(atom("exit"), atom("kill"));
            return box.receive(WAIT);
        });
        line("still there", () -> ask(atom("echo"), atom("here")));
        line("our link", () -> {
            OtpErlangPid victim = (OtpErlangPid) ask(atom("victim"));
            box.link(victim);
            box.send(victim, new OtpErlangTuple(array(atom("reason"), number(1))));
            return box.receive(WAIT);
        });
        line("their link", () -> {
            OtpErlangPid linked = (OtpErlangPid) ask(atom("link"));
            boolean known = box.linked()[0].equals(linked);
            box.send(linked, atom("gone"));
            try {
                return box.receive(WAIT);
            } catch (OtpErlangExit exit) {
                return known + " " + exit.reason() + exit.pid().equals(linked) + (box.linked() == null);
            }
        });
        line("link to nobody", () -> {
            OtpErlangPid victim = (OtpErlangPid) ask(atom("victim"));
            box.send(victim, atom("gone"));
            OtpErlangObject unused = ask(atom("echo"), atom("later"));
            box.link(victim);
            return box.receive(WAIT);
        });
        line("our end", () -> {
            OtpMbox other = node.createMbox();
            OtpErlangPid victim = (OtpErlangPid) ask(atom("victim"));
            other.link(victim);
            other.exit("over");
            box.link(victim); // it has ended by our exit, or will by the one that follows
            box.exit(victim, "over");
            return box.receive(WAIT);
        });
    }

    private OtpErlangObject over(OtpErlangObject... words) throws Exception {
        OtpErlangObject[] message = new OtpErlangObject[words.length + 1];
        message[0] = self.pid();
        System.arraycopy(words, 0, message, 1, words.length);
        connection.send("server", new OtpErlangTuple(message));
        return connection.receive(WAIT);
    }

    private void connection() {
        line("publish", () -> {
            self = new OtpSelf("self@localhost", ErlangShell.COOKIE);
            return self.publishPort() + " " + self.publishPort();
        });
        line("connect", () -> {
            connection = self.connect(new OtpPeer(ERL));
            return connection.peer() + " " + connection.self() + connection.isConnected() + connection.msgCount();
        });
        line("connection echo", () -> over(atom("echo"), atom("hello")));
        line("connection rpc", () -> {
            connection.sendRPC("erlang", "abs", array(number(-4)));
            return connection.receiveRPC();
        });
        line("connection name", () -> {
            OtpErlangObject[] send = {self.pid(), atom("send"), atom("any_name"), atom("self@localhost"), atom("named")
            };
            connection.send("server", new OtpErlangTuple(send));
            OtpMsg named = connection.receiveMsg(WAIT);
            return named.getMsg() + named.getRecipientName() + named.type() + connection.receive(WAIT);
        });
        line("connection timeout", () -> connection.receive(5));
        line("connection closed", () -> {
            connection.close();
            return connection.isConnected();
        });
        line("connection ended", () -> connection.receive(WAIT));
        line("connection to nobody", () -> new OtpSelf("lone@localhost", "x").connect(new OtpPeer("nobody@localhost")));
        line("connection with another cookie", () -> {
            OtpSelf self = new OtpSelf("other@localhost", "wrong");
            try {
                return self.connect(new OtpPeer(ERL));
            } catch (IOException | com.ericsson.otp.erlang.OtpAuthException e) {
                return "refused";
            }
        });
    }
}
