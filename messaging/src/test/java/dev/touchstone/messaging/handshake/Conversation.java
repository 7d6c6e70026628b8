package dev.touchstone.messaging.handshake;

import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.identity.NodeName;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** An initiator and an acceptor that hand each other their packets in memory, until neither has more to say. */
final class Conversation {
    static final NodeName ALICE = NodeName.parse("alice@localhost");
    static final NodeName BOB = NodeName.parse("bob@localhost");
    static final Cookie COOKIE = Cookie.of("monster");
    static final long FLAGS = DistFlags.ANNOUNCED | DistFlags.SEND_SENDER;

    final Side initiator;
    final Side acceptor;

    /** One of the two, and what became of it. */
    static final class Side {
        final Handshake handshake;
        final List<byte[]> sent = new ArrayList<>();
        final Deque<byte[]> inbox = new ArrayDeque<>();

        @Nullable
        HandshakeResult result;

        @Nullable
        HandshakeException failure;

        private Side(Handshake handshake) {
            this.handshake = handshake;
        }

        private boolean isOpen() {
            return result == null && failure == null;
        }

        List<String> sentHex() {
            return sent.stream().map(HexFormat.of()::formatHex).toList();
        }
    }

    /** Changes a packet on its way. */
    @FunctionalInterface
    interface Wire {
        /**
         * What arrives.
         *
         * @param number of the packet in the whole conversation, from 0
         */
        byte[] carry(int number, byte[] packet);
    }

    /** Gives these numbers in turn, and then the first again. */
    static final class FixedRandom extends SecureRandom {
        private static final long serialVersionUID = 1;

        private final int[] numbers;
        private int next;

        FixedRandom(int... numbers) {
            super(null, null); // no provider is asked, which would take longer than a whole conversation
            this.numbers = numbers;
        }

        @Override
        public int nextInt() {
            return numbers[next++ % numbers.length];
        }

        @Override
        public long nextLong() {
            return nextInt();
        }
    }

    /** Numbers that the seed decides. */
    static SecureRandom seeded(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] numbers = random.ints(64).toArray();
        return new FixedRandom(numbers);
    }

    Conversation(Handshake initiator, Handshake acceptor) {
        this.initiator = new Side(initiator);
        this.acceptor = new Side(acceptor);
    }

    static HandshakeOptions options(NodeName self, int creation, long flags, Cookie cookie, SecureRandom random) {
        return new HandshakeOptions(self, creation, flags, cookie, null, random, false);
    }

    static HandshakeOptions alice() {
        return options(ALICE, 11, FLAGS, COOKIE, new FixedRandom(0x12345678));
    }

    static HandshakeOptions bob() {
        return options(BOB, 22, FLAGS, COOKIE, new FixedRandom(-1));
    }

    Conversation run() {
        return run((number, packet) -> packet);
    }

    /** Runs to the end; a side that has failed closes the connection, which the other sees when it has read what came before. */
    Conversation run(Wire wire) {
        int number = 0;
        number = deliver(initiator, acceptor, initiator.handshake.start(), wire, number);
        number = deliver(acceptor, initiator, acceptor.handshake.start(), wire, number);
        while (!initiator.inbox.isEmpty() || !acceptor.inbox.isEmpty()) {
            number = turn(acceptor, initiator, wire, number);
            number = turn(initiator, acceptor, wire, number);
        }
        if (initiator.isOpen()) {
            initiator.failure = initiator.handshake.closed();
        }
        if (acceptor.isOpen()) {
            acceptor.failure = acceptor.handshake.closed();
        }
        return this;
    }

    private static int turn(Side reader, Side other, Wire wire, int first) {
        int number = first;
        while (!reader.inbox.isEmpty()) {
            byte[] packet = reader.inbox.remove();
            if (!reader.isOpen()) {
                continue;
            }
            try {
                Step step = reader.handshake.received(packet);
                number = deliver(reader, other, step.toSend(), wire, number);
                reader.result = step.done();
            } catch (HandshakeException e) {
                reader.failure = e;
                number = deliver(reader, other, e.farewell(), wire, number);
            }
        }
        return number;
    }

    private static int deliver(Side from, Side to, List<byte[]> packets, Wire wire, int first) {
        int number = first;
        for (byte[] packet : packets) {
            from.sent.add(packet);
            to.inbox.add(wire.carry(number++, packet));
        }
        return number;
    }
}
