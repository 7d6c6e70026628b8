package dev.touchstone.index.hazelcast;

import dev.touchstone.index.CorruptEncodingException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/**
 * An entry of the log of a replicated index: a batch of changes, or the begin of an epoch or of a term. Immutable, but for the array.
 *
 * <pre>
 *   format 1 | kind 1 | epoch 16 | id 16 | content
 *
 *   content of a batch: as BatchFormat encodes it; of a large batch and of an epoch: none; of a term: its number 8, version 8 of the prices before it
 * </pre>
 *
 * @param kind kind of the entry
 * @param epoch epoch that begins, or of which the writer was when it wrote
 * @param id random id, by which an entry that was written twice is known
 * @param content bytes of the batch, or of the term; empty for other kinds
 */
record LogEntry(Kind kind, UUID epoch, UUID id, ByteBuffer content) {
    private static final byte FORMAT = 1;
    private static final List<Kind> KINDS = List.of(Kind.values());
    private static final int HEAD_BYTES = 2 + 4 * Long.BYTES;

    /** The kinds of entries, by their codes. */
    enum Kind {
        /** The begin of an epoch. */
        EPOCH,
        /** A batch. */
        BATCH,
        /** A batch whose content stands in {@link LogContents} by the id. */
        LARGE_BATCH,
        /** The begin of a term: members were lost, and what follows was acknowledged without them. */
        TERM
    }

    /** Returns the begin of a term with a random id, in a log whose entries have made a version at least. */
    static LogEntry ofTerm(UUID epoch, long term, long version) {
        return new LogEntry(
                Kind.TERM,
                epoch,
                UUID.randomUUID(),
                ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(term)
                        .putLong(version)
                        .flip());
    }

    /**
     * Returns the number of the term that begins.
     *
     * @throws CorruptEncodingException if the content is not that of a term
     */
    long term() throws CorruptEncodingException {
        return numberAt(0);
    }

    /**
     * Returns the version that the entries before the term have made at least.
     *
     * @throws CorruptEncodingException if the content is not that of a term
     */
    long versionBefore() throws CorruptEncodingException {
        return numberAt(Long.BYTES);
    }

    private long numberAt(int at) throws CorruptEncodingException {
        if (content.remaining() != 2 * Long.BYTES) {
            throw new CorruptEncodingException(
                    "corrupt term: bytes=" + content.remaining() + " expected=" + 2 * Long.BYTES, null);
        }
        return content.getLong(content.position() + at);
    }

    /** Returns the begin of an epoch with a random id. */
    static LogEntry ofEpoch() {
        return new LogEntry(Kind.EPOCH, UUID.randomUUID(), UUID.randomUUID(), ByteBuffer.allocate(0));
    }

    byte[] encode() {
        return ByteBuffer.allocate(HEAD_BYTES + content.remaining())
                .put(FORMAT)
                .put((byte) KINDS.indexOf(kind))
                .putLong(epoch.getMostSignificantBits())
                .putLong(epoch.getLeastSignificantBits())
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .put(content.duplicate())
                .array();
    }

    /**
     * Returns the entry of some bytes.
     *
     * @throws CorruptEncodingException if the bytes are too short, or of another format
     */
    static LogEntry decode(byte[] bytes) throws CorruptEncodingException {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length < HEAD_BYTES) {
            throw new CorruptEncodingException(
                    "entry is too short: bytes=" + bytes.length + " expected=at least " + HEAD_BYTES, null);
        }
        byte format = in.get();
        byte kind = in.get();
        if (format != FORMAT || kind < 0 || kind >= KINDS.size()) {
            throw new CorruptEncodingException(
                    "unknown entry: format=" + format + " kind=" + kind + " expected format=" + FORMAT
                            + "; a member may have a later release",
                    null);
        }
        UUID epoch = new UUID(in.getLong(), in.getLong());
        UUID id = new UUID(in.getLong(), in.getLong());
        return new LogEntry(KINDS.get(kind), epoch, id, in.slice());
    }
}
