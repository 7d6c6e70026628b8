package dev.touchstone.messaging.epmd;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Asks one EPMD; each request has a connection of its own. Immutable. */
public final class EpmdClient {
    /** The port that EPMD has unless told otherwise. */
    public static final int PORT = 4369;

    private static final String PORT_VARIABLE = "ERL_EPMD_PORT";
    private static final int MAX_PORT = 0xffff;
    private static final int MAX_NAMES_BYTES = 1 << 20;

    private final InetSocketAddress epmd;
    private final Duration timeout;

    /**
     * Asks the EPMD at this address.
     *
     * @param timeout how long a request may take, from connecting to its answer's last byte; from a millisecond to some days
     */
    public EpmdClient(InetSocketAddress epmd, Duration timeout) {
        if (timeout.toMillis() < 1 || timeout.toMillis() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "timeout is out of range: timeout=" + timeout + "; expected=1.." + Integer.MAX_VALUE + " ms");
        }
        this.epmd = epmd;
        this.timeout = timeout;
    }

    /** The port of EPMD that the environment tells, {@value #PORT} unless {@code ERL_EPMD_PORT} is another. */
    public static int portFromEnvironment() {
        return port(System.getenv().getOrDefault(PORT_VARIABLE, ""));
    }

    /**
     * Registers a node until the registration is closed, or the process ends.
     *
     * @throws EpmdException.Refused if EPMD does not want to, as where another node has the name
     */
    public Registration register(EpmdNode node) throws EpmdException {
        try {
            EpmdSocket socket = EpmdSocket.request(epmd, timeout, EpmdFormat.alive2Request(node));
            try {
                return new Registration(socket.channel(), readCreation(socket, node));
            } catch (IOException | RuntimeException | Error e) {
                socket.close();
                throw e;
            }
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** The node of this name, if it is registered. */
    public Optional<EpmdNode> lookup(String name) throws EpmdException {
        if (!EpmdNode.isName(name)) {
            return Optional.empty(); // nor could it be asked for
        }
        try (EpmdSocket socket = EpmdSocket.request(epmd, timeout, EpmdFormat.portRequest(name))) {
            expect(EpmdFormat.PORT2_RESP, socket.read());
            if (socket.read() != EpmdFormat.OK) {
                return Optional.empty();
            }
            byte[] fields = socket.readToEnd(EpmdFormat.MAX_REQUEST_BYTES);
            return Optional.of(EpmdFormat.readNode("PORT2_RESP", ByteBuffer.wrap(fields)));
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** All nodes that are registered, in EPMD's order; of each only the name and the port are known. */
    public List<EpmdNode> names() throws EpmdException {
        try (EpmdSocket socket = EpmdSocket.request(epmd, timeout, EpmdFormat.request(EpmdFormat.NAMES_REQ))) {
            socket.read(Integer.BYTES); // its own port, which was known
            byte[] lines = socket.readToEnd(MAX_NAMES_BYTES);
            return EpmdFormat.readNames(EpmdFormat.text("NAMES_RESP", lines));
        } catch (IOException e) {
            throw failure(e);
        }
    }

    static int port(String variable) {
        if (variable.isEmpty()) {
            return PORT;
        }
        try {
            int port = Integer.parseInt(variable);
            if (port > 0 && port <= MAX_PORT) {
                return port;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw new IllegalArgumentException(
                "not a port: " + PORT_VARIABLE + "=" + variable + "; expected=1.." + MAX_PORT);
    }

    private int readCreation(EpmdSocket socket, EpmdNode node) throws IOException {
        int tag = socket.read();
        if (tag != EpmdFormat.ALIVE2_RESP) {
            expect(EpmdFormat.ALIVE2_X_RESP, tag);
        }
        int result = socket.read();
        byte[] creation = socket.read(tag == EpmdFormat.ALIVE2_RESP ? Short.BYTES : Integer.BYTES);
        if (result != EpmdFormat.OK) {
            throw new EpmdException.Refused(epmd, node.name(), result);
        }
        ByteBuffer field = ByteBuffer.wrap(creation);
        return creation.length == Short.BYTES ? field.getShort() & 0xffff : field.getInt();
    }

    private static void expect(int expected, int got) throws EpmdException.Malformed {
        if (got != expected) {
            throw new EpmdException.Malformed("answer", "tag " + expected, "tag " + got);
        }
    }

    private EpmdException failure(IOException e) {
        return e instanceof EpmdException ours ? ours : new EpmdException.Unreachable(epmd, e);
    }
}
