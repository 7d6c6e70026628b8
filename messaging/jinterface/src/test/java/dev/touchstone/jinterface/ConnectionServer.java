package dev.touchstone.jinterface;

import com.ericsson.otp.erlang.OtpAuthException;
import com.ericsson.otp.erlang.OtpConnection;
import com.ericsson.otp.erlang.OtpErlangAtom;
import com.ericsson.otp.erlang.OtpErlangException;
import com.ericsson.otp.erlang.OtpErlangObject;
import com.ericsson.otp.erlang.OtpErlangPid;
import com.ericsson.otp.erlang.OtpErlangTuple;
import com.ericsson.otp.erlang.OtpSelf;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A program that accepts one connection: {@code <node> <cookie>}. It registers the node, prints {@code ready}, and answers what comes over
 * the connection, to whatever name, as the echo server does. The atom {@code bye} or the end of the connection ends it.
 */
public final class ConnectionServer {
    private static final int WRONG_ARGUMENTS = 1;
    private static final int FAILED = 2;
    private static final OtpErlangAtom BYE = new OtpErlangAtom("bye");

    private ConnectionServer() {}

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
        if (args.length != 2) {
            out.println("usage: connection_server <node> <cookie>");
            return WRONG_ARGUMENTS;
        }
        try {
            OtpSelf self = new OtpSelf(args[0], args[1]);
            if (!self.publishPort()) {
                throw new IOException("node cannot be registered, is the name in use? node=" + self);
            }
            out.println("ready");
            return serve(self, self.accept(), out);
        } catch (IOException | OtpAuthException | OtpErlangException | RuntimeException e) {
            out.println("connection_server failed: " + e);
            return FAILED;
        }
    }

    private static int serve(OtpSelf self, OtpConnection connection, PrintStream out)
            throws IOException, OtpAuthException, OtpErlangException {
        EchoServer echo = new EchoServer(self.pid(), true, out);
        while (true) {
            OtpErlangObject message = connection.receive();
            if (message.equals(BYE)) {
                connection.close();
                return 0;
            }
            OtpErlangTuple answer = echo.answer(message);
            if (answer != null) {
                connection.send((OtpErlangPid) ((OtpErlangTuple) message).elementAt(0), answer);
            }
        }
    }
}
