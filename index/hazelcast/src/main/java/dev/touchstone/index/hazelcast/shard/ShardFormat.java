package dev.touchstone.index.hazelcast.shard;

import dev.touchstone.index.CorruptEncodingException;
import dev.touchstone.index.price.BatchFormat;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.QueryFormat;
import dev.touchstone.index.price.SnapshotFormat;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The name and the fields of a sharded index, and the binary forms of what its members and clients send each other. Immutable and thread-safe.
 *
 * <p>The bytes of a shard, big-endian:
 *
 * <pre>
 *   format 1 | length of the name 4 | name of the sharded index | order 8 | count of recent updates 2 | id 16 of each | index as SnapshotFormat writes it
 * </pre>
 */
public final class ShardFormat {
    private static final byte FORMAT = 2;
    private static final int HEAD_BYTES = 1 + Integer.BYTES + Long.BYTES + Short.BYTES;

    private final String name;
    private final PriceIndex schema;
    private final boolean isNearCached;
    private final QueryFormat queries;
    private final BatchFormat batches;
    private final SnapshotFormat snapshots;
    private final ThreadLocal<PriceQuery> scratch; // whose buffers are larger than all else that a search needs

    ShardFormat(String name, PriceIndex schema, boolean isNearCached) {
        this.name = name;
        this.schema = schema;
        this.isNearCached = isNearCached;
        queries = new QueryFormat(schema);
        batches = new BatchFormat(schema);
        snapshots = new SnapshotFormat(schema);
        scratch = ThreadLocal.withInitial(schema::query);
    }

    /**
     * Returns the name of the sharded index.
     *
     * @return name, not empty
     */
    public String name() {
        return name;
    }

    /**
     * Returns an index with the fields of all shards.
     *
     * @return index without prices, which must not be changed
     */
    public PriceIndex schema() {
        return schema;
    }

    /**
     * Returns whether this member or client keeps copies of shards.
     *
     * @return whether there is a near cache
     */
    public boolean isNearCached() {
        return isNearCached;
    }

    /**
     * Returns the binary form of queries.
     *
     * @return format
     */
    public QueryFormat queries() {
        return queries;
    }

    /**
     * Returns the binary form of batches.
     *
     * @return format
     */
    public BatchFormat batches() {
        return batches;
    }

    /**
     * Returns the query of some bytes, which this thread may use until it decodes another one.
     *
     * @throws CorruptEncodingException if the bytes are not an encoded query of an index with these fields
     */
    PriceQuery query(byte[] bytes) throws CorruptEncodingException {
        return queries.decode(ByteBuffer.wrap(bytes), scratch.get());
    }

    /** Returns the bytes of a shard. */
    static byte[] encode(OfferingShard shard) throws IOException {
        byte[] index = shard.format().snapshots.encode(shard.index());
        byte[] name = shard.format().name.getBytes(StandardCharsets.UTF_8);
        long[] recent = shard.recent();
        int head = HEAD_BYTES + name.length + recent.length * Long.BYTES;
        if (index.length > Integer.MAX_VALUE - 16 - head) {
            throw new IOException("offering is too large to be sent: bytes=" + index.length);
        }
        ByteBuffer out = ByteBuffer.allocate(head + index.length)
                .put(FORMAT)
                .putInt(name.length)
                .put(name)
                .putLong(shard.order())
                .putShort((short) (recent.length / 2));
        for (long half : recent) {
            out.putLong(half);
        }
        return out.put(index).array();
    }

    /**
     * Returns the name of the sharded index of an encoded shard.
     *
     * @param in bytes, whose position is moved behind the name
     * @throws CorruptEncodingException if the bytes are too short, or of another format
     */
    static String name(ByteBuffer in) throws CorruptEncodingException {
        try {
            byte format = in.get();
            if (format != FORMAT) {
                throw new CorruptEncodingException(
                        "unknown format of a shard: format=" + format + " expected=" + FORMAT + "; a member may have "
                                + (format < FORMAT ? "an earlier" : "a later") + " release",
                        null);
            }
            return new String(bytes(in, "name"), StandardCharsets.UTF_8);
        } catch (BufferUnderflowException e) {
            throw new CorruptEncodingException("shard is too short: bytes=" + in.limit(), e);
        }
    }

    /**
     * Returns the shard of some bytes.
     *
     * @param in bytes behind the name
     * @throws IOException if the bytes are damaged, or of an index with other fields
     */
    OfferingShard decode(ByteBuffer in) throws IOException {
        try {
            long order = in.getLong();
            int count = in.getShort();
            if (order < 1 || count < 0 || count > OfferingShard.MAX_RECENT) {
                throw new CorruptEncodingException("corrupt shard: order=" + order + " updates=" + count, null);
            }
            long[] recent = new long[2 * count];
            for (int i = 0; i < recent.length; i++) {
                recent[i] = in.getLong();
            }
            byte[] index =
                    Arrays.copyOfRange(in.array(), in.arrayOffset() + in.position(), in.arrayOffset() + in.limit());
            return new OfferingShard(this, order, recent, snapshots.decode(index));
        } catch (BufferUnderflowException e) {
            throw new CorruptEncodingException("shard is too short: bytes=" + in.limit(), e);
        }
    }

    /**
     * Returns as many of the next bytes as their length says, which stands before them.
     *
     * @throws CorruptEncodingException if there are fewer bytes
     * @throws BufferUnderflowException if the length is cut off
     */
    static byte[] bytes(ByteBuffer in, String what) throws CorruptEncodingException {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new CorruptEncodingException(
                    "corrupt " + what + ": length=" + length + " expected=at most " + in.remaining(), null);
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
