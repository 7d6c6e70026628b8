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
 * Writes records and their schemas to a stream that {@link ContainerReader} reads. Not thread-safe. Writes each block at once, and buffers
 * nothing: a stream to a file should do so. After an {@link IOException} the container ends where it ended before, or is torn.
 */
public final class ContainerWriter implements Closeable {
    private static final int RECORD_START = RecordLayout.HEADER_BYTES + RecordLayout.SCHEMA_ID_BYTES;

    private final OutputStream out;
    private final Set<Long> schemas = new HashSet<>();
    private long blocks;
    private long records;
    private boolean isClosed;

    /**
     * Begins a container with schemas in its head, which may be none.
     *
     * @param out where it goes; closed with this
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
     * Adds a schema for the records that follow, unless it is there.
     *
     * @throws IllegalArgumentException if it is larger than a reader takes, or one too many
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
     * Writes a record, as {@link dev.touchstone.serialization.CompactSerialization#encode(Object)} makes them. The schemas of records inside
     * it must have been added too; only that of the record itself is looked for.
     *
     * @throws IllegalArgumentException if it is no record, or its schema was not added
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

    /** Has the stream pass on what it holds. */
    public void flush() throws IOException {
        out.flush();
    }

    /** Writes the end, which says that nothing is missing, and closes the stream. */
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
