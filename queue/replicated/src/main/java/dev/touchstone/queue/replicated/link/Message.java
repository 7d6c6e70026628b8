package dev.touchstone.queue.replicated.link;

import com.alipay.sofa.jraft.entity.PeerId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A message of ours between members. Its class name is part of the protocol: bolt sends it with each message. The id of the sender's group, if it has
 * one, is sent as bolt's header, which earlier versions pass.
 *
 * <pre>
 *  +------+----------------------------------------------+
 *  | kind | PROPOSE: the entry; others: UTF-8 text       |
 *  | 1 B  |                                              |
 *  +------+----------------------------------------------+
 * </pre>
 */
public final class Message {

    /** Kinds of messages. */
    public enum Kind {
        /** Read in the place of bytes that are no message. */
        MALFORMED(0),
        /** Asks the leader to propose an entry of the machine. */
        PROPOSE(1),
        /** Asks the leader to propose the id of a member. */
        ANNOUNCE(2),
        /** Asks whether the group knows a member by another id. */
        IDENTIFY(3),
        /** Asks the leader for the members. */
        MEMBERS(4),
        /** Asks the leader to add a member. */
        ADD(5),
        /** Asks the leader to remove a member. */
        REMOVE(6),
        /** Asks the leader to hand its leadership to a member, or to any if there is no text. */
        TRANSFER(7),
        /** Asks a member for its state. */
        STATUS(8),
        /** Tells a member the number of a verification that will begin. */
        EXPECT(9),
        /** Asks the leader to begin a verification. */
        VERIFY(10),
        /** Asks a member for its report of a verification. */
        REPORT(11),
        /** Tells a member what its leader knows is committed. */
        COMMITTED(12),
        /** Asks a member whether it can be added to the group whose members' ids are the text. */
        JOIN(13),
        /** Asks a member for its address, as the first message of a connection. */
        HELLO(14),
        /** Answers that it was done; the text is the result. */
        DONE(64),
        /** Answers that nothing was done, and nothing will be; the text is the reason. */
        NOT_DONE(65),
        /** Answers that nothing was done because this member does not lead, or is in the middle of another change. */
        NOT_LEADING(66),
        /** Answers that it is not known whether it is done; the text is the reason. */
        UNKNOWN(67),
        /** Answers that the member has stored nothing of a group. */
        NO_GROUP(68),
        /** Answers that the group knows the member by another id. */
        OTHER_ID(69),
        /** Answers that the member cannot say it yet. */
        NOT_YET(70),
        /** Answers that nothing was done because the member does something else, and that the request should be made again. */
        BUSY(71);

        private static final Kind[] BY_CODE = new Kind[128];

        static {
            Arrays.fill(BY_CODE, MALFORMED);
            for (Kind kind : values()) {
                BY_CODE[kind.code] = kind;
            }
        }

        private final byte code;

        Kind(int code) {
            this.code = (byte) code;
        }

        static Kind of(byte code) {
            return code < 0 ? MALFORMED : BY_CODE[code];
        }
    }

    private static final Pattern LEADER = Pattern.compile("leader=(\\S+)$");

    private final byte[] bytes;
    private final String group;

    private Message(byte[] bytes, String group) {
        this.bytes = bytes;
        this.group = group;
    }

    /** Returns a message with this text. */
    public static Message of(Kind kind, String text) {
        return of(kind, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a message with these bytes. */
    public static Message of(Kind kind, byte[] body) {
        byte[] bytes = new byte[1 + body.length];
        bytes[0] = kind.code;
        System.arraycopy(body, 0, bytes, 1, body.length);
        return new Message(bytes, "");
    }

    /** Returns this message as one of a member of the group with this id, empty for none. */
    public Message inGroup(String id) {
        return new Message(bytes, id);
    }

    /** Returns the id of the sender's group, empty if it has none or does not tell it. */
    public String group() {
        return group;
    }

    /**
     * Returns the answer of a member that does not lead.
     *
     * @param leader the leader as far as the member knows; null or empty for none
     */
    public static Message notLeading(@Nullable PeerId leader) {
        return of(
                Kind.NOT_LEADING,
                "it does not lead: leader=" + (leader == null || leader.isEmpty() ? "unknown" : leader));
    }

    /** Returns the leader that an answer of a member that does not lead names; null if it names none. */
    public @Nullable PeerId leader() {
        Matcher named = LEADER.matcher(kind() == Kind.NOT_LEADING ? text() : "");
        try {
            return named.find() ? MemberAddress.parse(named.group(1)) : null;
        } catch (IllegalArgumentException unknown) {
            return null;
        }
    }

    /** Returns the message that was sent as these bytes, which are the message's from now on. */
    public static Message received(byte[] bytes) {
        return new Message(bytes, "");
    }

    /** Returns what is sent, not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns the kind, {@link Kind#MALFORMED} where the bytes are no message. */
    public Kind kind() {
        return bytes.length == 0 ? Kind.MALFORMED : Kind.of(bytes[0]);
    }

    /** Returns a copy of what follows the kind. */
    public byte[] body() {
        return bytes.length == 0 ? bytes : Arrays.copyOfRange(bytes, 1, bytes.length);
    }

    /** Returns the text that follows the kind. */
    public String text() {
        return new String(bytes, Math.min(1, bytes.length), Math.max(0, bytes.length - 1), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return kind() + " bytes=" + bytes.length;
    }
}
