package dev.touchstone.serialization.container;

import static java.util.Objects.requireNonNull;

import dev.touchstone.serialization.Limits;
import dev.touchstone.serialization.SchemaSource;
import dev.touchstone.serialization.exception.CompactContainerException;
import dev.touchstone.serialization.exception.CompactContainerException.Reason;
import dev.touchstone.serialization.exception.CompactSchemaException;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.SchemaFormat;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the records of a container, which is also the source of the schemas that were read from it. One thread reads records; others may look
 * up schemas. The memory for a block grows with the bytes that arrive, whatever length the block claims. A record is returned as soon as its bytes
 * have arrived: the reader does not wait for further ones. The reader cannot be used after an {@link IOException}.
 *
 * <p>{@link #next} returns the bytes that the writer was given. Whether they are a record of their schema is checked when they are decoded.
 */
public final class ContainerReader implements Closeable, SchemaSource {
    /** Number of bytes that tell a container from other files. */
    public static final int MAGIC_BYTES = Long.BYTES;

    private final InputStream in;
    private final int maxRecordBytes;
    private final Map<Long, Schema> schemas = new ConcurrentHashMap<>();
    private long offset;
    private long blocks;
    private long records;
    private boolean isComplete;
    private @Nullable CompactContainerException failure;

    /**
     * Creates a reader, and reads the head with its schemas.
     *
     * @param in stream to read from; closed with this reader, or if the head cannot be read
     * @param limits limits, of which only {@link Limits#maxBytes} matters here: the maximum length of a record in bytes
     * @throws CompactContainerException if the head or one of its schemas is missing or damaged
     * @throws IOException if the stream cannot be read
     */
    public ContainerReader(InputStream in, Limits limits) throws IOException {
        this.in = requireNonNull(in, "in");
        maxRecordBytes = limits.maxBytes();
        boolean isOpen = false;
        try {
            head();
            isOpen = true;
        } finally {
            if (!isOpen) {
                in.close();
            }
        }
    }

    /**
     * Returns whether a container begins with these bytes.
     *
     * @param first first bytes of a stream, at least {@link #MAGIC_BYTES} of them
     * @return whether the bytes begin as those of a container; false if there are fewer of them
     */
    public static boolean isContainer(byte[] first) {
        return first.length >= MAGIC_BYTES && ContainerFormat.magic(first) == ContainerFormat.MAGIC;
    }

    private void head() throws IOException {
        byte[] head = in.readNBytes(ContainerFormat.HEAD_BYTES);
        byte[] expected = ContainerFormat.head(0);
        for (int i = 0; i < Math.min(head.length, MAGIC_BYTES); i++) {
            if (head[i] != expected[i]) {
                throw wrong(Reason.NOT_A_CONTAINER, "other first bytes: at=" + i);
            }
        }
        if (head.length < ContainerFormat.HEAD_BYTES) {
            throw wrong(Reason.TORN, "head is cut off: bytes=" + head.length);
        }
        if (!ContainerFormat.isSound(head)) {
            throw wrong(Reason.DAMAGED, "head has another check");
        }
        int version = ContainerFormat.version(head);
        if (version != ContainerFormat.VERSION) {
            throw wrong(Reason.UNKNOWN_VERSION, "version=" + version + " known=" + ContainerFormat.VERSION);
        }
        int count = ContainerFormat.schemas(head);
        if (count < 0 || count > ContainerFormat.MAX_SCHEMAS) {
            throw wrong(Reason.DAMAGED, "number of schemas: got=" + count + " most=" + ContainerFormat.MAX_SCHEMAS);
        }
        offset = ContainerFormat.HEAD_BYTES;
        for (int i = 0; i < count; i++) {
            byte[] start = start();
            if (start == null) {
                throw wrong(Reason.TORN, "schemas are missing: got=" + i + " expected=" + count);
            }
            if (ContainerFormat.kind(start) != ContainerFormat.SCHEMA) {
                throw wrong(Reason.DAMAGED, "no schema in the head: kind=" + ContainerFormat.kind(start));
            }
            schema(payload(start, ContainerFormat.MAX_SCHEMA_BYTES));
        }
    }

    /**
     * Returns the next record.
     *
     * @return bytes of the record, or nothing at the end; {@link #isComplete} then tells whether the container is complete
     * @throws CompactContainerException if the next block is cut off or damaged; every later call throws the same exception
     * @throws IOException if the stream cannot be read
     */
    public Optional<byte[]> next() throws IOException {
        if (failure != null) {
            throw failure;
        }
        while (!isComplete) {
            byte[] start = start();
            if (start == null) {
                return Optional.empty();
            }
            switch (ContainerFormat.kind(start)) {
                case ContainerFormat.SCHEMA -> schema(payload(start, ContainerFormat.MAX_SCHEMA_BYTES));
                case ContainerFormat.RECORD -> {
                    byte[] record = payload(start, maxRecordBytes);
                    passed(record);
                    records++;
                    return Optional.of(record);
                }
                case ContainerFormat.END -> end(start);
                default -> throw wrong(Reason.DAMAGED, "no kind of block: kind=" + ContainerFormat.kind(start));
            }
        }
        return Optional.empty();
    }

    /** Returns the start of the next block, or null if the stream has ended. */
    private byte @Nullable [] start() throws IOException {
        byte[] start = in.readNBytes(ContainerFormat.START_BYTES);
        if (start.length == 0) {
            return null;
        }
        if (start.length < ContainerFormat.START_BYTES) {
            throw wrong(Reason.TORN, "start of a block is cut off: bytes=" + start.length);
        }
        if (!ContainerFormat.isSound(start)) {
            throw wrong(Reason.DAMAGED, "start of a block has another check");
        }
        if (ContainerFormat.number(start) != blocks) {
            throw wrong(Reason.DAMAGED, "another block: got=" + ContainerFormat.number(start) + " expected=" + blocks);
        }
        return start;
    }

    private byte[] payload(byte[] start, int most) throws IOException {
        int length = ContainerFormat.length(start);
        if (length < 0 || length > most) {
            throw wrong(Reason.TOO_LARGE, "block beyond a limit: length=" + length + " most=" + most);
        }
        byte[] payload = in.readNBytes(length);
        byte[] check = in.readNBytes(ContainerFormat.CHECK_BYTES);
        if (check.length < ContainerFormat.CHECK_BYTES) {
            int left = payload.length + check.length;
            throw wrong(
                    Reason.TORN,
                    "block is cut off: needed=" + ((long) length + ContainerFormat.CHECK_BYTES) + " left=" + left);
        }
        if (!ContainerFormat.isSound(payload, check)) {
            throw wrong(Reason.DAMAGED, "payload has another check: length=" + length);
        }
        return payload;
    }

    private void schema(byte[] payload) {
        Schema schema;
        try {
            schema = SchemaFormat.decode(payload);
        } catch (CompactSchemaException e) {
            CompactContainerException wrong = wrong(Reason.DAMAGED, String.valueOf(e.getMessage()));
            wrong.initCause(e);
            throw wrong;
        }
        if (schemas.putIfAbsent(schema.id(), schema) != null) {
            throw wrong(Reason.DAMAGED, "schema twice: id=" + Long.toHexString(schema.id()));
        }
        if (schemas.size() > ContainerFormat.MAX_SCHEMAS) {
            throw wrong(Reason.TOO_LARGE, "too many schemas: most=" + ContainerFormat.MAX_SCHEMAS);
        }
        passed(payload);
    }

    private void end(byte[] start) throws IOException {
        byte[] payload = payload(start, ContainerFormat.END_BYTES);
        if (payload.length != ContainerFormat.END_BYTES || ContainerFormat.records(payload) != records) {
            throw wrong(Reason.DAMAGED, "end of another number of records: expected=" + records);
        }
        if (in.read() >= 0) {
            throw wrong(Reason.DAMAGED, "bytes behind the end");
        }
        passed(payload);
        isComplete = true;
    }

    private void passed(byte[] payload) {
        offset += ContainerFormat.START_BYTES + payload.length + ContainerFormat.CHECK_BYTES;
        blocks++;
    }

    /**
     * Returns whether the end block was read, which a writer adds when it is closed. Without an end block, records may be missing at the end, but not
     * in between.
     *
     * @return whether the container is complete
     */
    public boolean isComplete() {
        return isComplete;
    }

    /**
     * Returns the number of records that were read.
     *
     * @return number of records so far
     */
    public long records() {
        return records;
    }

    /**
     * Returns the offset up to which the container was read and is intact.
     *
     * @return offset in bytes behind the last block that was read
     */
    public long offset() {
        return offset;
    }

    /**
     * Returns the schemas that were read so far. After the constructor has returned, these are the schemas that were known when the container was
     * begun.
     *
     * @return unmodifiable copy, in no particular order
     */
    public Collection<Schema> schemas() {
        return List.copyOf(schemas.values());
    }

    @Override
    public @Nullable Schema find(long id) {
        return schemas.get(id);
    }

    private CompactContainerException wrong(Reason reason, String what) {
        CompactContainerException wrong = new CompactContainerException(reason, what, offset);
        failure = wrong;
        return wrong;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
