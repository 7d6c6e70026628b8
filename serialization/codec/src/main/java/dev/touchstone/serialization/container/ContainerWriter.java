package dev.touchstone.serialization.container;

import static java.util.Objects.requireNonNull;

import dev.touchstone.serialization.schema.RecordLayout;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.SchemaFormat;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A writer of records and their schemas to a stream that {@link ContainerReader} reads. Not thread-safe. Blocks are passed to the stream at once and
 * are not buffered here, so a stream to a file should have a buffer. After an {@link IOException} the last block of the container may be cut off.
 */
public final class ContainerWriter implements Closeable {
    private static final int RECORD_START = RecordLayout.HEADER_BYTES + RecordLayout.SCHEMA_ID_BYTES;

    private final OutputStream out;
    private final Set<Long> schemas = new HashSet<>();
    private long blocks;
    private long records;
    private boolean isClosed;

    /**
     * Creates a writer, and writes the head with its schemas.
     *
     * @param out stream to write to; closed with this writer
     * @param head schemas of the head, which may be none
     * @throws IllegalArgumentException if a schema is larger than a reader accepts, or there are too many
     * @throws IOException if the stream cannot be written
     */
    public ContainerWriter(OutputStream out, Collection<Schema> head) throws IOException {
        this.out = requireNonNull(out, "out");
        Map<Long, Schema> byId = new LinkedHashMap<>();
        head.forEach(schema -> byId.put(schema.id(), schema));
        out.write(ContainerFormat.head(byId.size()));
        for (Schema schema : byId.values()) {
            add(schema);
        }
    }

    /**
     * Adds a schema for the records that follow, unless it was added before.
     *
     * @param schema schema to add, not null
     * @throws IllegalArgumentException if the schema is larger than a reader accepts, or there are too many
     * @throws IllegalStateException if this writer is closed
     * @throws IOException if the stream cannot be written
     */
    public void add(Schema schema) throws IOException {
        if (schemas.contains(schema.id())) {
            return;
        }
        byte[] payload = SchemaFormat.encode(schema);
        if (payload.length > ContainerFormat.MAX_SCHEMA_BYTES || schemas.size() == ContainerFormat.MAX_SCHEMAS) {
            throw new IllegalArgumentException("schema beyond a limit: type=" + schema.typeName() + " bytes="
                    + payload.length + " schemas=" + schemas.size());
        }
        block(ContainerFormat.SCHEMA, payload);
        schemas.add(schema.id());
    }

    /**
     * Writes a record. The schemas of records inside it must have been added too, but only the schema of the record itself is checked.
     *
     * @param record header and record, as {@link dev.touchstone.serialization.CompactSerialization#encode(Object)} returns them
     * @throws IllegalArgumentException if the bytes are not a record, or its schema was not added
     * @throws IllegalStateException if this writer is closed
     * @throws IOException if the stream cannot be written
     */
    public void write(byte[] record) throws IOException {
        if (record.length < RECORD_START
                || ByteBuffer.wrap(record).getInt(RecordLayout.TYPE_AT) != RecordLayout.TYPE_COMPACT) {
            throw new IllegalArgumentException("not a record: bytes=" + record.length);
        }
        long id = ByteBuffer.wrap(record).getLong(RecordLayout.HEADER_BYTES);
        if (!schemas.contains(id)) {
            throw new IllegalArgumentException("schema was not added: id=" + Long.toHexString(id));
        }
        block(ContainerFormat.RECORD, record);
        records++;
    }

    private void block(byte kind, byte[] payload) throws IOException {
        if (isClosed) {
            throw new IllegalStateException("closed: blocks=" + blocks);
        }
        out.write(ContainerFormat.start(kind, payload.length, blocks));
        out.write(payload);
        out.write(ContainerFormat.check(payload));
        blocks++;
    }

    /**
     * Flushes the stream.
     *
     * @throws IOException if the stream cannot be written
     */
    public void flush() throws IOException {
        out.flush();
    }

    /**
     * Writes the end block, by which a reader knows that no record is missing, and closes the stream.
     *
     * @throws IOException if the stream cannot be written or closed
     */
    @Override
    public void close() throws IOException {
        if (!isClosed) {
            try (OutputStream closed = out) {
                block(ContainerFormat.END, ContainerFormat.end(records));
                closed.flush();
            } finally {
                isClosed = true;
            }
        }
    }
}
