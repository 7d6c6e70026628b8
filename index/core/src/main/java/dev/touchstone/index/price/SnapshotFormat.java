package dev.touchstone.index.price;

import dev.touchstone.index.CorruptIndexException;
import dev.touchstone.index.engine.PayloadCache;
import dev.touchstone.index.file.IndexFile;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads and writes whole versions of indexes that share the fields of one index, so that queries, batches and versions of one are accepted by all. The
 * bytes are those of the file that {@link PriceIndex#write} makes.
 *
 * <p>Immutable and thread-safe.
 */
public final class SnapshotFormat {
    private final PriceIndex like;

    /**
     * Creates the format of the versions of indexes with given fields.
     *
     * @param like index whose key and fields all others share, not null
     */
    public SnapshotFormat(PriceIndex like) {
        this.like = like;
    }

    /**
     * Returns the current version of an index as bytes.
     *
     * @param index index, not null
     * @return a new array
     * @throws IOException if the version does not fit into an array
     */
    public byte[] encode(PriceIndex index) throws IOException {
        return IndexFile.bytes(index.keyField(), index.fields, index.snapshot());
    }

    /**
     * Reads an index from bytes.
     *
     * @param bytes bytes that {@link #encode} made
     * @return a new index in memory
     * @throws CorruptIndexException if the bytes are damaged, are no index, or one with another key or other fields
     * @throws IOException never otherwise
     */
    public PriceIndex decode(byte[] bytes) throws IOException {
        return shared(IndexFile.read(bytes));
    }

    /**
     * Reads an index into memory from a file.
     *
     * @param file path of the file
     * @return a new index
     * @throws CorruptIndexException if the file is damaged, is no index file, or one with another key or other fields
     * @throws IOException if the file cannot be read
     */
    public PriceIndex open(Path file) throws IOException {
        return shared(IndexFile.open(file, false, like.keyField().isEmpty()));
    }

    private PriceIndex shared(IndexFile.Contents found) throws CorruptIndexException {
        if (!found.key().equals(like.keyField()) || !found.fields().list.equals(like.fields())) {
            throw new CorruptIndexException(
                    "index of other fields: key=" + found.key() + " fields=" + found.fields().list + " expected key="
                            + like.keyField() + " fields=" + like.fields(),
                    "SCHEMA[0]",
                    null);
        }
        return new PriceIndex(like.keyField(), like.fields, found.snapshot(), new PayloadCache(0));
    }
}
