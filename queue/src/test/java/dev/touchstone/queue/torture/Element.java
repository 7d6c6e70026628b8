package dev.touchstone.queue.torture;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * An element that says who offered it, and what the producers had been acknowledged by then; every other byte follows from the seed, so
 * that a wrong one is seen.
 */
final class Element {
    private static final int MAGIC = 0x5451_5254;
    private static final int HEAD_BYTES = 4 + 4 + 4 + 8 + Long.BYTES * Ledger.PRODUCERS;

    private final int generation;
    private final int producer;
    private final long index;
    private final long[] acked;

    private Element(int generation, int producer, long index, long[] acked) {
        this.generation = generation;
        this.producer = producer;
        this.index = index;
        this.acked = acked;
    }

    static byte[] make(long seed, int generation, int producer, long index, Ledger ledger) {
        byte[] payload = new byte[bytes(seed, generation, producer, index)];
        ByteBuffer fields = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
        fields.putInt(MAGIC).putInt(generation).putInt(producer).putLong(index);
        for (int other = 0; other < Ledger.PRODUCERS; other++) {
            fields.putLong(ledger.get(Ledger.Count.ACKED, other));
        }
        fill(fields, mix(seed, generation, producer, index));
        return payload;
    }

    /** The length that this element has: mostly some hundred bytes, now and then more than a batch holds. */
    static int bytes(long seed, int generation, int producer, long index) {
        long random = mix(seed + 1, generation, producer, index);
        int choice = (int) Math.floorMod(random, 1000L);
        int most = choice < 2 ? 200_000 : choice < 20 ? 30_000 : choice < 100 ? 8 : 700;
        return HEAD_BYTES + (int) Math.floorMod(random >> 20, (long) most);
    }

    /** @throws IllegalArgumentException if any byte is not what a producer wrote */
    static Element parse(byte[] payload, long seed) {
        if (payload.length < HEAD_BYTES) {
            throw new IllegalArgumentException("bytes=" + payload.length);
        }
        ByteBuffer fields = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
        int magic = fields.getInt();
        Element element = new Element(fields.getInt(), fields.getInt(), fields.getLong(), new long[Ledger.PRODUCERS]);
        for (int other = 0; other < Ledger.PRODUCERS; other++) {
            element.acked[other] = fields.getLong();
        }
        if (magic != MAGIC
                || element.producer < 0
                || element.producer >= Ledger.PRODUCERS
                || payload.length != bytes(seed, element.generation, element.producer, element.index)) {
            throw new IllegalArgumentException("not an element of this run: " + element + " bytes=" + payload.length);
        }
        byte[] expected = payload.clone();
        fill(ByteBuffer.wrap(expected).order(ByteOrder.LITTLE_ENDIAN).position(HEAD_BYTES), element.mixed(seed));
        if (!Arrays.equals(payload, expected)) {
            throw new IllegalArgumentException("wrong byte: " + element + " at=" + Arrays.mismatch(payload, expected));
        }
        return element;
    }

    /** The rest of {@code target} from a generator started with {@code state}. */
    static void fill(ByteBuffer target, long state) {
        long next = state | 1;
        while (target.remaining() >= Long.BYTES) {
            next ^= next << 13;
            next ^= next >>> 7;
            next ^= next << 17;
            target.putLong(next);
        }
        while (target.hasRemaining()) {
            target.put((byte) next);
            next >>= 8;
        }
    }

    static long mix(long seed, int generation, int producer, long index) {
        long mixed = seed ^ (index * 0x9E37_79B9_7F4A_7C15L) ^ ((long) generation << 40) ^ ((long) producer << 56);
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ (mixed >>> 31);
    }

    int generation() {
        return generation;
    }

    int producer() {
        return producer;
    }

    long index() {
        return index;
    }

    /** The last element of {@code other} that had been acknowledged when this one was offered. */
    long acked(int other) {
        return acked[other];
    }

    @Override
    public String toString() {
        return "generation=" + generation + " producer=" + producer + " index=" + index;
    }

    private long mixed(long seed) {
        return mix(seed, generation, producer, index);
    }
}
