package dev.touchstone.messaging.epmd;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A client of one EPMD; each request has a connection of its own. Immutable. */
public final class EpmdClient {
    /** The port of EPMD where the environment tells no other. */
    public static final int PORT = 4369;

    private static final String PORT_VARIABLE = "ERL_EPMD_PORT";
    private static final int MAX_PORT = 0xffff;
    private static final int MAX_NAMES_BYTES = 1 << 20;

    private final InetSocketAddress epmd;
    private final Duration timeout;

    /**
     * Makes a client; nothing is connected yet.
     *
     * @param epmd address of the EPMD to ask
     * @param timeout how long a request may take, from connecting to its answer's last byte: a millisecond or more, at most about 24
     *     days
     * @throws IllegalArgumentException for another timeout
     */
    public EpmdClient(InetSocketAddress epmd, Duration timeout) {
        if (timeout.toMillis() < 1 || timeout.toMillis() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "timeout is out of range: timeout=" + timeout + "; expected=1.." + Integer.MAX_VALUE + " ms");
        }
        this.epmd = epmd;
        this.timeout = timeout;
    }

    /**
     * Returns the port of EPMD that the environment tells in {@code ERL_EPMD_PORT}.
     *
     * @return the port, {@value #PORT} where the variable is missing or empty
     * @throws IllegalArgumentException if the variable is no port
     */
    public static int portFromEnvironment() {
        return port(System.getenv().getOrDefault(PORT_VARIABLE, ""));
    }

    /**
     * Registers a node until the registration is closed, or the process ends.
     *
     * @param node the node to register
     * @return the registration, to be kept as long as the node lives
     * @throws EpmdException.Refused if EPMD does not register the node, as where another node has the name
     * @throws EpmdException if EPMD gives no valid answer in time
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

    /**
     * Asks for the node of a name.
     *
     * @param name the part of the node's name before the {@code @}
     * @return the node; empty if none of that name is registered
     * @throws EpmdException if EPMD gives no valid answer in time
     */
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

    /**
     * Asks for all nodes that are registered.
     *
     * @return the nodes, in EPMD's order, each with its name and port only
     * @throws EpmdException if EPMD gives no valid answer in time
     */
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
