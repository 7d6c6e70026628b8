package dev.touchstone.jinterface;

import com.ericsson.otp.erlang.OtpErlangAtom;
import com.ericsson.otp.erlang.OtpErlangException;
import com.ericsson.otp.erlang.OtpErlangObject;
import com.ericsson.otp.erlang.OtpErlangPid;
import com.ericsson.otp.erlang.OtpErlangTuple;
import com.ericsson.otp.erlang.OtpMbox;
import com.ericsson.otp.erlang.OtpNode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;

/**
 * A program that echoes terms to Erlang, as Erlang's own tests of Java nodes expect it:
 * {@code <node> <cookie> <erlnode> <regname> [unicode]}.
 *
 * <p>It starts the node, sends {@code {echo_server, Node, Pid}} to the name at the Erlang node, and answers {@code {From, Term}} with
 * {@code {Pid, Term}} and {@code {From, Term, Twist}} with {@code {Pid, Twisted, Twist}}; see {@link EchoTwist}. The atom {@code debug}
 * has it print what it echoes, {@code bye} ends it, and any other message ends it with exit code 2.
 */
public final class EchoServer {
    private static final int WRONG_ARGUMENTS = 1;
    private static final int FAILED = 2;
    private static final OtpErlangAtom DEBUG = new OtpErlangAtom("debug");
    private static final OtpErlangAtom BYE = new OtpErlangAtom("bye");
    private static final int PING_MILLIS = 10_000;

    private final OtpErlangPid self;
    private final EchoTwist twist;
    private final PrintStream out;
    private boolean debug;

    EchoServer(OtpErlangPid self, boolean unicode, PrintStream out) {
        this.self = self;
        this.twist = new EchoTwist(unicode);
        this.out = out;
    }

    /**
     * Runs until it is told to end, and ends the process.
     *
     * @param args the arguments
     */
    public static void main(String[] args) {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.exit(run(args, out));
    }

    private static int run(String[] args, PrintStream out) {
        if (args.length != 4 && args.length != 5) {
            out.println("usage: echo_server <node> <cookie> <erlnode> <regname> [unicode]");
            return WRONG_ARGUMENTS;
        }
        boolean unicode = args.length == 5 && args[4].equals("unicode");
        OtpNode node = null;
        try {
            node = new OtpNode(fullName(args[0], args[2]), args[1]);
            if (!node.ping(args[2], PING_MILLIS)) {
                throw new IOException("no answer: node=" + args[2]);
            }
            OtpMbox mbox = node.createMbox();
            OtpErlangObject[] hello = {new OtpErlangAtom("echo_server"), new OtpErlangAtom(args[0]), mbox.self()};
            mbox.send(args[3], args[2], new OtpErlangTuple(hello));
            return new EchoServer(mbox.self(), unicode, out).serve(mbox);
        } catch (IOException | OtpErlangException | RuntimeException e) {
            out.println("echo_server failed: " + e);
            return FAILED;
        } finally {
            if (node != null) {
                node.close();
            }
        }
    }

    /** Returns the name with a host: the peer's if that is this machine, else this machine's own. */
    private static String fullName(String name, String peer) throws IOException {
        String host = peer.substring(peer.indexOf('@') + 1);
        boolean isComplete = name.indexOf('@') >= 0 || !isHere(host);
        return isComplete ? name : name + '@' + host;
    }

    private static boolean isHere(String host) throws IOException {
        try {
            InetAddress address = InetAddress.getByName(host);
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private int serve(OtpMbox mbox) throws OtpErlangException {
        while (true) {
            OtpErlangObject message = mbox.receive();
            if (message.equals(BYE)) {
                return 0;
            }
            OtpErlangTuple answer = answer(message);
            if (answer != null) {
                mbox.send((OtpErlangPid) ((OtpErlangTuple) message).elementAt(0), answer);
            } else if (!message.equals(DEBUG)) {
                out.println("echo_server got what it does not know: " + message);
                return FAILED;
            }
        }
    }

    /** Returns the answer to a request; null where the message is none. */
    @org.jspecify.annotations.Nullable
    OtpErlangTuple answer(OtpErlangObject message) throws OtpErlangException {
        debug |= message.equals(DEBUG);
        if (!(message instanceof OtpErlangTuple request)
                || request.arity() < 2
                || request.arity() > 3
                || !(request.elementAt(0) instanceof OtpErlangPid)) {
            return null;
        }
        OtpErlangObject term = request.elementAt(1);
        OtpErlangObject how = request.elementAt(2);
        OtpErlangTuple answer = new OtpErlangTuple(
                request.arity() == 2
                        ? new OtpErlangObject[] {self, term}
                        : new OtpErlangObject[] {self, twist.apply(term, how), how});
        if (debug) {
            out.println("echo_server got " + request + ", sends " + answer);
        }
        return answer;
    }
}
