package dev.touchstone.jinterface;

import com.ericsson.otp.erlang.OtpEpmd;
import com.ericsson.otp.erlang.OtpErlangBinary;
import com.ericsson.otp.erlang.OtpErlangBitstr;
import com.ericsson.otp.erlang.OtpErlangDecodeException;
import com.ericsson.otp.erlang.OtpErlangExit;
import com.ericsson.otp.erlang.OtpErlangList;
import com.ericsson.otp.erlang.OtpErlangMap;
import com.ericsson.otp.erlang.OtpErlangObject;
import com.ericsson.otp.erlang.OtpErlangPid;
import com.ericsson.otp.erlang.OtpErlangRef;
import com.ericsson.otp.erlang.OtpErlangString;
import com.ericsson.otp.erlang.OtpErlangTuple;
import com.ericsson.otp.erlang.OtpMbox;
import com.ericsson.otp.erlang.OtpMsg;
import com.ericsson.otp.erlang.OtpNode;
import com.ericsson.otp.erlang.OtpNodeStatus;
import com.ericsson.otp.erlang.OtpOutputStream;
import com.ericsson.otp.erlang.OtpPeer;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Calls of two nodes and their mailboxes. The argument is the port of a port mapper. */
public final class MailboxProbe extends Trace implements Function<Integer, List<String>> {
    private static final long WAIT = 20_000;

    private final BlockingQueue<String> status = new LinkedBlockingQueue<>();
    private OtpNode here;
    private OtpNode there;
    private OtpMbox box;
    private OtpMbox named;
    private OtpMbox remote;

    @Override
    public List<String> apply(Integer epmdPort) {
        OtpEpmd.useEpmdPort(epmdPort);
        try {
            here = new OtpNode("here@localhost", "secret");
            there = new OtpNode("there@localhost", "secret");
            here.registerStatusHandler(new Recorder());
            box = here.createMbox();
            named = here.createMbox("named");
            remote = there.createMbox("remote");
            names();
            localMessages();
            changesAfterLocalSends();
            remoteMessages();
            nothingComes();
            links();
            exits();
            closed();
            ends();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } finally {
            here.close();
            there.close();
        }
        return lines();
    }

    /** Records what happens, but for the cause's text. */
    private final class Recorder extends OtpNodeStatus {
        @Override
        public void remoteStatus(String node, boolean up, Object info) {
            status.add("remote " + node + " " + up + " " + (info != null));
        }

        @Override
        public void connAttempt(String node, boolean incoming, Object info) {
            status.add(
                    "attempt " + node + " " + incoming + " " + info.getClass().getSimpleName());
        }
    }

    private static String way(OtpMsg message) throws OtpErlangDecodeException {
        OtpErlangPid sender = message.getSenderPid();
        OtpErlangPid to = message.getRecipientPid();
        return message.type() + " " + message.getMsg() + " from " + (sender == null ? "" : sender.node()) + " to "
                + (to == null ? "" : to.node()) + " " + message.getRecipientName() + " "
                + (message.getRecipient() instanceof String);
    }

    private static String sorted(Object[] values) {
        Object[] copy = values.clone();
        Arrays.sort(copy);
        return Arrays.toString(copy);
    }

    private void names() {
        line("node", () -> here.node() + here.host() + here.alive() + here.cookie() + here);
        line("looked up", () -> OtpEpmd.lookupPort(new OtpPeer("there@localhost")) == there.port());
        line("not there", () -> OtpEpmd.lookupPort(new OtpPeer("nobody@localhost")));
        line("epmd", () -> OtpEpmd.lookupNames().length);
        line(
                "own",
                () -> box.getName()
                        + named.getName()
                        + box.equals(named)
                        + box.self().equals(named.self()));
        line(
                "pid",
                () -> here.createPid().node()
                        + here.createPort().node()
                        + here.createRef().node());
        line(
                "fresh",
                () -> here.createPid().equals(here.createPid())
                        || here.createRef().equals(here.createRef()));
        line("taken", () -> here.createMbox("named"));
        line("again", () -> box.registerName("named") + " " + box.registerName("second") + box.registerName("third"));
        line("latest", () -> box.getName() + sorted(here.getNames()) + sorted(box.getNames()));
        line("for", () -> here.registerName("fourth", box) + box.getName() + sorted(here.getNames()));
        line("whereis", () -> box.self().equals(here.whereis("second")) + " " + box.whereis("nobody"));
        line("given up", () -> box.registerName(null) + box.getName() + sorted(here.getNames()));
    }

    private void localMessages() {
        line("to pid", () -> {
            box.send(named.self(), atom("a"));
            return way(named.receiveMsg());
        });
        line("to name", () -> {
            box.send("named", atom("a"));
            return way(named.receiveMsg());
        });
        line("to name at this node", () -> {
            box.send("named", "here@localhost", atom("a"));
            return way(named.receiveMsg());
        });
        line("to name at this node without its host", () -> {
            box.send("named", "here", atom("a"));
            return way(named.receiveMsg());
        });
        line("to nobody", () -> {
            box.send("nobody", atom("a"));
            box.send(here.createPid(), atom("a"));
            return named.receive(0);
        });
        line("to self", () -> {
            box.send(box.self(), new OtpErlangTuple(array(atom("a"), number(1))));
            return box.receive();
        });
    }

    /** Makes changes that the receiver sees, or does not see, after a term was sent to it. */
    private void changesAfterLocalSends() {
        for (boolean toName : new boolean[] {false, true}) {
            line("map that is changed", () -> {
                OtpErlangMap map = new OtpErlangMap(array(atom("a")), array(number(1)));
                sendHere(toName, map);
                map.put(atom("b"), number(2));
                OtpErlangMap got = (OtpErlangMap) named.receive();
                got.put(atom("c"), number(3));
                return got.arity() + " " + map.arity();
            });
            line("map in others that is changed", () -> {
                OtpErlangMap map = new OtpErlangMap(array(atom("a")), array(number(1)));
                sendHere(toName, new OtpErlangTuple(new OtpErlangList(array(map))));
                map.put(atom("b"), number(2));
                OtpErlangList list = (OtpErlangList) ((OtpErlangTuple) named.receive()).elementAt(0);
                return ((OtpErlangMap) list.elementAt(0)).arity();
            });
            line("map in a map that is changed", () -> {
                OtpErlangMap map = new OtpErlangMap(array(atom("a")), array(number(1)));
                sendHere(toName, new OtpErlangMap(array(atom("in")), array(map)));
                map.put(atom("b"), number(2));
                return ((OtpErlangMap) ((OtpErlangMap) named.receive()).get(atom("in"))).arity();
            });
            line("bytes that are changed", () -> {
                OtpErlangBinary binary = new OtpErlangBinary(new byte[] {1, 2});
                sendHere(toName, binary);
                binary.binaryValue()[0] = 9;
                OtpErlangBinary got = (OtpErlangBinary) named.receive();
                got.binaryValue()[1] = 8;
                return Arrays.toString(got.binaryValue()) + Arrays.toString(binary.binaryValue());
            });
            line("bytes that a program had before", () -> {
                OtpErlangBinary binary = new OtpErlangBinary(new byte[] {1, 2});
                byte[] had = binary.binaryValue();
                sendHere(toName, binary);
                had[0] = 9;
                OtpErlangBinary got = (OtpErlangBinary) named.receive();
                sendHere(toName, got);
                OtpErlangBinary again = (OtpErlangBinary) named.receive();
                again.binaryValue()[1] = 8;
                return Arrays.toString(got.binaryValue())
                        + Arrays.toString(binary.binaryValue())
                        + Arrays.toString(((OtpErlangBinary) got.clone()).binaryValue());
            });
            line("bits that are changed", () -> {
                OtpErlangBitstr bits = new OtpErlangBitstr(new byte[] {1, 2}, 1);
                sendHere(toName, bits);
                bits.binaryValue()[0] = 9;
                return ((OtpErlangBitstr) named.receive()).binaryValue()[0];
            });
            line("bytes in a tuple that are changed", () -> {
                OtpErlangBinary binary = new OtpErlangBinary(new byte[] {1, 2});
                sendHere(toName, new OtpErlangTuple(binary));
                binary.binaryValue()[0] = 9;
                return ((OtpErlangBinary) ((OtpErlangTuple) named.receive()).elementAt(0)).binaryValue()[0];
            });
            line("numbers of a reference that are changed", () -> {
                OtpErlangRef ref = new OtpErlangRef("here@localhost", new int[] {1, 2, 3}, 4);
                sendHere(toName, ref);
                ref.ids()[0] = 9;
                return ((OtpErlangRef) named.receive()).ids()[0];
            });
            line("elements that are changed", () -> {
                OtpErlangObject[] elements = array(number(1), number(2));
                OtpErlangTuple tuple = new OtpErlangTuple(elements);
                OtpErlangList list = new OtpErlangList(elements);
                sendHere(toName, tuple);
                sendHere(toName, list);
                elements[0] = atom("changed");
                tuple.elements()[0] = atom("changed");
                list.elements()[0] = atom("changed");
                return named.receive() + " " + named.receive();
            });
            line("a class of the program's own", () -> {
                Counted counted = new Counted();
                sendHere(toName, counted);
                counted.state = 1;
                return ((Counted) named.receive()).state + " " + counted.clones;
            });
            line("a tuple of the program's own", () -> {
                CountedTuple counted = new CountedTuple();
                sendHere(toName, counted);
                counted.state = 1;
                return ((CountedTuple) named.receive()).state + " " + counted.clones;
            });
            line("equal after its way", () -> {
                OtpErlangObject term = new OtpErlangTuple(array(atom("a"), number(1), new OtpErlangString("text")));
                sendHere(toName, term);
                return named.receive().equals(term);
            });
        }
    }

    private void sendHere(boolean toName, OtpErlangObject message) {
        if (toName) {
            box.send("named", message);
        } else {
            box.send(named.self(), message);
        }
    }

    /** A term with state that can be changed. */
    private static final class Counted extends OtpErlangObject {
        private static final long serialVersionUID = 1;
        private int state;
        private int clones;

        @Override
        public String toString() {
            return "counted";
        }

        @Override
        public void encode(OtpOutputStream out) {
            out.write_atom("counted");
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Counted;
        }

        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public Object clone() {
            clones++;
            return super.clone();
        }
    }

    /** A tuple with state that can be changed. */
    private static final class CountedTuple extends OtpErlangTuple {
        private static final long serialVersionUID = 1;
        private int state;
        private int clones;

        CountedTuple() {
            super(atom("a"));
        }

        @Override
        public Object clone() {
            clones++;
            return super.clone();
        }
    }

    private void remoteMessages() {
        line("ping", () -> box.ping("there@localhost", WAIT) + " " + here.ping("here@localhost", WAIT));
        line("ping nobody", () -> here.ping("nobody@localhost", WAIT));
        line("up", () -> status.poll(WAIT, TimeUnit.MILLISECONDS));
        line("attempt", () -> status.poll(WAIT, TimeUnit.MILLISECONDS));
        line("remote pid", () -> {
            box.send(remote.self(), new OtpErlangTuple(array(box.self(), number(-5))));
            OtpErlangTuple got = (OtpErlangTuple) remote.receive(WAIT);
            return got.elementAt(0).equals(box.self()) + " " + got.elementAt(1);
        });
        line("remote way", () -> {
            box.send(remote.self(), atom("a"));
            return way(remote.receiveMsg(WAIT));
        });
        line("remote name", () -> {
            box.send("remote", "there@localhost", atom("a"));
            return way(remote.receiveMsg(WAIT));
        });
        line("remote bytes", () -> {
            box.send("remote", "there@localhost", atom("a"));
            byte[] bytes = new byte[10];
            return remote.receiveBuf(WAIT).readN(bytes) + Arrays.toString(bytes);
        });
        line("unreachable", () -> {
            box.send("nobody", "nobody@localhost", atom("a"));
            box.send(new OtpErlangPid("nobody@localhost", 1, 2, 3), atom("a"));
            return status.poll(WAIT, TimeUnit.MILLISECONDS) + status.poll(WAIT, TimeUnit.MILLISECONDS);
        });
    }

    private void nothingComes() {
        line("no message", () -> named.receive(0) + " " + named.receive(5) + " " + named.receive(-1));
        line("no message with its way", () -> named.receiveMsg(5));
        line("no bytes", () -> named.receiveBuf(5));
        line("interrupted", () -> {
            Thread.currentThread().interrupt();
            Object nothing = named.receive(5);
            boolean unused = Thread.interrupted();
            return nothing;
        });
    }

    private void links() {
        line("no links", () -> box.linked());
        line("link to no mailbox", () -> {
            box.link(here.createPid());
            return "linked";
        });
        line("link to no node", () -> {
            box.link(new OtpErlangPid("nobody@localhost", 1, 2, 3));
            return "linked";
        });
        line("attempt to link", () -> status.poll(WAIT, TimeUnit.MILLISECONDS));
        line("link to no process", () -> {
            box.link(there.createPid());
            return box.receive(WAIT);
        });
        line("linked", () -> {
            box.link(named.self());
            return box.linked()[0].equals(named.self()) + " " + named.linked()[0].equals(box.self());
        });
        line("unlinked", () -> {
            box.unlink(named.self());
            return (box.linked() == null) + " " + (named.linked() == null);
        });
        line("remote exit", () -> {
            OtpMbox other = there.createMbox();
            box.link(other.self());
            box.send(other.self(), atom("linked")); // comes after the link
            OtpErlangObject unused = other.receive(WAIT);
            other.exit("bye");
            return box.receive(WAIT);
        });
        line("links left", () -> box.linked());
        line("local close", () -> {
            OtpMbox other = here.createMbox();
            other.link(named.self());
            here.closeMbox(other, number(7));
            return named.receive(WAIT);
        });
        line("local close without a reason", () -> {
            OtpMbox other = here.createMbox();
            other.link(named.self());
            other.close();
            return named.receive(WAIT);
        });
    }

    private void exits() {
        for (String reason : List.of("stop", "normal", "kill")) {
            line("exit " + reason, () -> {
                box.exit(remote.self(), reason);
                try {
                    return remote.receive(WAIT);
                } catch (OtpErlangExit exit) {
                    return exit.reason() + " " + exit.pid().equals(box.self()) + sorted(there.getNames());
                }
            });
        }
        line("exit without a link", () -> {
            box.exit(remote.self(), number(3));
            return remote.receiveMsg(WAIT);
        });
    }

    private void closed() {
        line("name of a closed one", () -> {
            OtpMbox other = here.createMbox("other");
            other.close();
            return other.getName() + here.whereis("other") + (here.createMbox("other") != null) + other.receive(5);
        });
        line("send from a closed one", () -> {
            OtpMbox other = here.createMbox();
            other.close();
            other.send(named.self(), atom("late"));
            return named.receive(WAIT);
        });
        line("to null", () -> {
            box.send((OtpErlangPid) null, atom("a"));
            box.send((String) null, atom("a"));
            box.send("named", null, atom("a"));
            box.exit((OtpErlangPid) null, "a");
            return named.receive(5);
        });
        line("cookies", () -> here.setCookie("other") + here.cookie() + here.setCookie("secret"));
    }

    private void ends() {
        line("down", () -> {
            OtpMbox other = there.createMbox();
            box.link(other.self());
            box.send(other.self(), atom("linked"));
            OtpErlangObject unused = other.receive(WAIT);
            there.close();
            return status.poll(WAIT, TimeUnit.MILLISECONDS);
        });
    }
}
