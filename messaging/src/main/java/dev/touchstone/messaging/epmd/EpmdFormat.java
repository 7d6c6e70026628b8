package dev.touchstone.messaging.epmd;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests and answers of EPMD, big-endian. A request has two bytes of length before it, an answer has not. A name has up to 255
 * characters; bytes after the fields of a request are ignored.
 *
 * <pre>
 *  ALIVE2_REQ        120 | node                                    the connection is the registration
 *  ALIVE2_X_RESP     118 | result 1 | creation 4                   to nodes of version 6
 *  ALIVE2_RESP       121 | result 1 | creation 2                   to nodes of version 5
 *  PORT_PLEASE2_REQ  122 | name to the end
 *  PORT2_RESP        119 | result 1 | node                         no node unless the result is 0; the connection ends
 *  NAMES_REQ         110
 *  NAMES_RESP        EPMD's port 4 | lines "name N at port P\n"    the connection ends
 *  DUMP_REQ          100
 *  DUMP_RESP         EPMD's port 4 | lines "active name     &lt;N&gt; at port P, fd = F\n"    the connection ends
 *  KILL_REQ          107
 *  KILL_RESP         "OK" or "NO"; ours is "NO"                                  the connection ends
 *
 *  node              port 2 | type 1 | protocol 1 | high 2 | low 2 | length 2 | name | length 2 | extra
 * </pre>
 *
 * @see <a href="https://www.erlang.org/doc/apps/erts/erl_dist_protocol.html">Distribution Protocol, "EPMD Protocol"</a>
 */
final class EpmdFormat {
    static final int ALIVE2_REQ = 120;
    static final int ALIVE2_X_RESP = 118;
    static final int ALIVE2_RESP = 121;
    static final int PORT_PLEASE2_REQ = 122;
    static final int PORT2_RESP = 119;
    static final int NAMES_REQ = 110;
    static final int KILL_REQ = 107;
    static final int OK = 0;
    static final int FAILED = 1;
    static final int LENGTH_BYTES = 2;
    static final int DUMP_REQ = 100;

    private static final String NAME = "name ";
    private static final String AT_PORT = " at port ";
    private static final int VISIBLE = 'M';
    private static final int HIDDEN = 'H';
    private static final int TCP_IPV4 = 0;
    private static final int FIXED_NODE_BYTES = 12;
    static final int MAX_REQUEST_BYTES = 1 + FIXED_NODE_BYTES + EpmdNode.MAX_NAME_BYTES + EpmdNode.MAX_EXTRA_BYTES;
    private static final int NO_CREATION = 99;

    private EpmdFormat() {}

    static byte[] alive2Request(EpmdNode node) {
        return request(node(new byte[] {ALIVE2_REQ}, node));
    }

    static byte[] portRequest(String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        return request(ByteBuffer.allocate(1 + utf8.length)
                .put((byte) PORT_PLEASE2_REQ)
                .put(utf8)
                .array());
    }

    static byte[] request(int tag) {
        return request(new byte[] {(byte) tag});
    }

    /**
     * Returns the answer to a node that is registered now.
     *
     * @param highVersion highest version that the node speaks, which decides what answer it can read
     */
    static byte[] alive2Registered(int highVersion, int creation) {
        return alive2Response(highVersion, OK, creation);
    }

    static byte[] alive2Refused(int highVersion) {
        return alive2Response(highVersion, FAILED, NO_CREATION);
    }

    static byte[] portResponse(@Nullable EpmdNode node) {
        return node == null ? new byte[] {PORT2_RESP, FAILED} : node(new byte[] {PORT2_RESP, OK}, node);
    }

    static byte[] namesResponse(int epmdPort, Iterable<EpmdNode> nodes) {
        StringBuilder lines = new StringBuilder();
        for (EpmdNode node : nodes) {
            lines.append(NAME)
                    .append(node.name())
                    .append(AT_PORT)
                    .append(node.port())
                    .append('\n');
        }
        return listing(epmdPort, lines);
    }

    /** Returns the answer to a DUMP_REQ; the place of each node stands for the file descriptor, which is not known here. */
    static byte[] dumpResponse(int epmdPort, Iterable<EpmdNode> nodes) {
        StringBuilder lines = new StringBuilder();
        int place = 0;
        for (EpmdNode node : nodes) {
            lines.append("active name     <")
                    .append(node.name())
                    .append('>')
                    .append(AT_PORT)
                    .append(node.port())
                    .append(", fd = ")
                    .append(place++)
                    .append('\n');
        }
        return listing(epmdPort, lines);
    }

    private static byte[] listing(int epmdPort, CharSequence lines) {
        byte[] utf8 = lines.toString().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Integer.BYTES + utf8.length)
                .putInt(epmdPort)
                .put(utf8)
                .array();
    }

    /** Reads the lines of a NAMES_RESP; of the nodes in it only names and ports are known. */
    static List<EpmdNode> readNames(String lines) throws EpmdException.Malformed {
        List<EpmdNode> nodes = new ArrayList<>();
        for (String line : lines.split("\n", -1)) {
            if (!line.isEmpty()) {
                nodes.add(readLine(line));
            }
        }
        return nodes;
    }

    static byte[] killRefused() {
        return new byte[] {'N', 'O'};
    }

    /**
     * The fields of a node as they were sent.
     *
     * @param name in UTF-8, if it is a name
     */
    @SuppressWarnings("ArrayRecordComponent") // made, read and forgotten by one request
    private record Fields(int port, boolean hidden, int high, int low, byte[] name, byte[] extra) {
        static Fields read(String what, ByteBuffer fields) throws EpmdException.Malformed {
            need(what, fields, FIXED_NODE_BYTES - 2);
            int port = fields.getShort() & 0xffff;
            boolean hidden = fields.get() == HIDDEN;
            fields.get(); // the protocol is TCP whatever it says
            int high = fields.getShort() & 0xffff;
            int low = fields.getShort() & 0xffff;
            return new Fields(port, hidden, high, low, bytes(what, fields), bytes(what, fields));
        }

        EpmdNode node(String what) throws EpmdException.Malformed {
            String text = text(what, name);
            try {
                return new EpmdNode(text, port, hidden, low, high, extra);
            } catch (IllegalArgumentException e) {
                throw new EpmdException.Malformed(
                        what,
                        "a node",
                        "port " + port + ", versions " + low + ".." + high + ", name of " + text.length()
                                + " characters, extra of " + extra.length + " bytes");
            }
        }
    }

    /** Reads the fields of a node from a buffer that holds them and nothing else. */
    static EpmdNode readNode(String what, ByteBuffer fields) throws EpmdException.Malformed {
        EpmdNode node = Fields.read(what, fields).node(what);
        if (fields.hasRemaining()) {
            throw new EpmdException.Malformed(what, "its end", fields.remaining() + " bytes more");
        }
        return node;
    }

    /**
     * A request to register a node.
     *
     * @param node null where no node can have this name or these data
     */
    record Alive(int highVersion, @Nullable EpmdNode node) {}

    /**
     * Reads an ALIVE2_REQ.
     *
     * @throws EpmdException.Malformed if the fields are not complete, or the name is empty or has a zero in it
     */
    static Alive readAlive(ByteBuffer request) throws EpmdException.Malformed {
        Fields fields = Fields.read("ALIVE2_REQ", request);
        checkName("ALIVE2_REQ", fields.name());
        try {
            return new Alive(fields.high(), fields.node("ALIVE2_REQ"));
        } catch (EpmdException.Malformed refused) {
            return new Alive(fields.high(), null);
        }
    }

    private static void checkName(String what, byte[] name) throws EpmdException.Malformed {
        int length = name.length;
        for (byte each : name) {
            length = each == 0 ? 0 : length;
        }
        if (length == 0) {
            throw new EpmdException.Malformed(what, "a name without zeros", name.length + " bytes");
        }
    }

    /** Reads the name that ends a PORT_PLEASE2_REQ, and that a zero may end. */
    static String readName(ByteBuffer fields) throws EpmdException.Malformed {
        int end = fields.limit();
        boolean isTerminated = fields.hasRemaining() && fields.get(end - 1) == 0;
        byte[] utf8 = new byte[fields.remaining() - (isTerminated ? 1 : 0)];
        fields.get(utf8);
        checkName("PORT_PLEASE2_REQ", utf8);
        String name = text("PORT_PLEASE2_REQ", utf8);
        if (name.codePointCount(0, name.length()) > EpmdNode.MAX_NAME_CHARACTERS) {
            throw new EpmdException.Malformed(
                    "PORT_PLEASE2_REQ", "at most " + EpmdNode.MAX_NAME_CHARACTERS + " characters", name.length());
        }
        return name;
    }

    static String text(String what, byte[] utf8) throws EpmdException.Malformed {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new EpmdException.Malformed(what, "UTF-8", utf8.length + " other bytes");
        }
    }

    private static EpmdNode readLine(String line) throws EpmdException.Malformed {
        int at = line.lastIndexOf(AT_PORT);
        if (line.startsWith(NAME) && at >= NAME.length()) {
            try {
                int port = Integer.parseInt(line.substring(at + AT_PORT.length()));
                return EpmdNode.of(line.substring(NAME.length(), at), port, false);
            } catch (IllegalArgumentException e) {
                // told below
            }
        }
        throw new EpmdException.Malformed("line of names", "name N at port P", line.length() + " characters");
    }

    private static byte[] bytes(String what, ByteBuffer fields) throws EpmdException.Malformed {
        need(what, fields, Short.BYTES);
        int length = fields.getShort() & 0xffff;
        need(what, fields, length);
        byte[] bytes = new byte[length];
        fields.get(bytes);
        return bytes;
    }

    private static void need(String what, ByteBuffer fields, int bytes) throws EpmdException.Malformed {
        if (fields.remaining() < bytes) {
            throw new EpmdException.Malformed(what, bytes + " bytes", fields.remaining());
        }
    }

    private static byte[] alive2Response(int highVersion, int result, int creation) {
        if (highVersion >= EpmdNode.VERSION) {
            return ByteBuffer.allocate(6)
                    .put((byte) ALIVE2_X_RESP)
                    .put((byte) result)
                    .putInt(creation)
                    .array();
        }
        return ByteBuffer.allocate(4)
                .put((byte) ALIVE2_RESP)
                .put((byte) result)
                .putShort((short) creation)
                .array();
    }

    /** Encodes the fields of a node behind some bytes. */
    private static byte[] node(byte[] before, EpmdNode node) {
        byte[] name = node.name().getBytes(StandardCharsets.UTF_8);
        byte[] extra = node.extra();
        return ByteBuffer.allocate(before.length + FIXED_NODE_BYTES + name.length + extra.length)
                .put(before)
                .putShort((short) node.port())
                .put((byte) (node.hidden() ? HIDDEN : VISIBLE))
                .put((byte) TCP_IPV4)
                .putShort((short) node.highVersion())
                .putShort((short) node.lowVersion())
                .putShort((short) name.length)
                .put(name)
                .putShort((short) extra.length)
                .put(extra)
                .array();
    }

    private static byte[] request(byte[] body) {
        return ByteBuffer.allocate(LENGTH_BYTES + body.length)
                .putShort((short) body.length)
                .put(body)
                .array();
    }
}
