package dev.touchstone.serialization.cli;

import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.Limits;
import dev.touchstone.serialization.container.ContainerReader;
import dev.touchstone.serialization.exception.CompactContainerException;
import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.schema.Schema;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The content of a container from its head to its end, or to the first place that cannot be read.
 *
 * @param path the container's file
 * @param schemas the container's schemas, by type and id
 * @param recordsBySchema number of records by the id of their schema
 * @param unreadable number of records that are damaged or whose schema is missing
 * @param soundBytes number of bytes from the file's start that can be read
 * @param isComplete whether the writer closed the container
 * @param failure the reason why the container cannot be read to its end; empty if it can
 */
record ContainerScan(
        Path path,
        List<Schema> schemas,
        SortedMap<Long, Long> recordsBySchema,
        long unreadable,
        long soundBytes,
        boolean isComplete,
        Optional<CompactContainerException> failure) {
    /** Returns whether a file begins with a container's magic bytes. */
    static boolean isContainer(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return ContainerReader.isContainer(in.readNBytes(ContainerReader.MAGIC_BYTES));
        }
    }

    static ContainerReader open(Path path) throws IOException {
        try {
            return new ContainerReader(new BufferedInputStream(Files.newInputStream(path)), Limits.DEFAULT);
        } catch (CompactContainerException e) {
            throw new DamagedFileException(path, e);
        }
    }

    static ContainerScan of(Path path) throws IOException {
        SortedMap<Long, Long> records = new TreeMap<>();
        long unreadable = 0;
        CompactContainerException failure = null;
        try (ContainerReader reader = open(path)) {
            CompactSerialization serialization =
                    CompactSerialization.builder().schemas(reader).build();
            try {
                for (Optional<byte[]> next = reader.next(); next.isPresent(); next = reader.next()) {
                    try {
                        records.merge(serialization.view(next.get()).schema().id(), 1L, Long::sum);
                    } catch (CompactException e) {
                        unreadable++;
                    }
                }
            } catch (CompactContainerException e) {
                failure = e;
            }
            Comparator<Schema> order = Comparator.comparing(Schema::typeName).thenComparingLong(Schema::id);
            List<Schema> schemas = reader.schemas().stream().sorted(order).toList();
            return new ContainerScan(
                    path,
                    schemas,
                    records,
                    unreadable,
                    reader.offset(),
                    reader.isComplete(),
                    Optional.ofNullable(failure));
        }
    }

    /** The schemas of a container that can be read to its end. */
    List<Schema> schemasOrThrow() {
        if (failure.isPresent()) {
            throw new DamagedFileException(path, failure.get());
        }
        return schemas;
    }

    long records() {
        return recordsBySchema.values().stream().mapToLong(Long::longValue).sum() + unreadable;
    }
}
