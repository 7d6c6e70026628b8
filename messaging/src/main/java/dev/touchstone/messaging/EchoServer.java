package dev.touchstone.messaging;

import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
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
    private static final Atom NAME = Atom.of("echo_server");
    private static final Atom DEBUG = Atom.of("debug");
    private static final Atom BYE = Atom.of("bye");

    private final Mailbox mailbox;
    private final EchoTwist twist;
    private final PrintStream out;
    private boolean debug;

    private EchoServer(Mailbox mailbox, EchoTwist twist, PrintStream out) {
        this.mailbox = mailbox;
        this.twist = twist;
        this.out = out;
    }

    /** Runs until it is told to end, and ends the process. */
    public static void main(String[] args) {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.exit(run(args, out));
    }

    /** Runs until it is told to end; the exit code. */
    static int run(String[] args, PrintStream out) {
        if (args.length != 4 && args.length != 5) {
            out.println("usage: echo_server <node> <cookie> <erlnode> <regname> [unicode]");
            return WRONG_ARGUMENTS;
        }
        boolean unicode = args.length == 5 && args[4].equals("unicode");
        try {
            NodeName peer = NodeName.parse(args[2]);
            NodeBuilder builder = Node.builder(fullName(args[0], peer)).cookie(Cookie.of(args[1]));
            try (Node node = builder.start();
                    Mailbox mailbox = node.mailbox()) {
                mailbox.send(args[3], peer, Tuple.of(NAME, Atom.of(args[0]), mailbox.pid()));
                return new EchoServer(mailbox, new EchoTwist(unicode), out).serve();
            }
        } catch (IOException | RuntimeException e) {
            out.println("echo_server failed: " + e);
            return FAILED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return FAILED;
        }
    }

    /** A node's name that has no host gets the peer's if that is this machine, else this machine's own, short or long as the peer's. */
    private static String fullName(String name, NodeName peer) throws IOException {
        if (name.indexOf('@') >= 0) {
            return name;
        }
        if (isHere(peer.host())) {
            return name + '@' + peer.host();
        }
        InetAddress own = InetAddress.getLocalHost();
        String host =
                peer.isLong() ? own.getCanonicalHostName() : own.getHostName().replaceFirst("\\..*", "");
        return name + '@' + host;
    }

    private static boolean isHere(String host) throws IOException {
        try {
            InetAddress address = InetAddress.getByName(host);
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private int serve() throws InterruptedException {
        while (true) {
            Term message = mailbox.receive();
            if (message.equals(BYE)) {
                return 0;
            } else if (message.equals(DEBUG)) {
                debug = true;
            } else if (message instanceof Tuple request
                    && (request.size() == 2 || request.size() == 3)
                    && request.get(0) instanceof Pid from) {
                mailbox.send(from, answer(request));
            } else {
                out.println("echo_server got what it does not know: " + message);
                return FAILED;
            }
        }
    }

    private Tuple answer(Tuple request) {
        Term term = request.get(1);
        Tuple answer = request.size() == 2
                ? Tuple.of(mailbox.pid(), term)
                : Tuple.of(mailbox.pid(), twist.apply(term, request.get(2)), request.get(2));
        if (debug) {
            out.println("echo_server got " + request + ", sends " + answer);
        }
        return answer;
    }
}
