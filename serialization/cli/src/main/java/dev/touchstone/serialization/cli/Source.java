package dev.touchstone.serialization.cli;

import dev.touchstone.cli.UsageException;
import dev.touchstone.serialization.CompactException;
import dev.touchstone.serialization.schema.LockedVersion;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.SchemaFormat;
import dev.touchstone.serialization.schema.SchemaLock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A place that schemas come from. Which kind it is, is seen from the bytes; a folder stands for the descriptors in it and below.
 *
 * @param path of it
 * @param kind of it
 * @param schemas that are in it, those of a lock oldest first
 * @param lock that it is, if it is one
 */
record Source(Path path, Kind kind, List<Schema> schemas, Optional<SchemaLock> lock) {
    static final String SUFFIX = ".schema";
    private static final int MAX_DESCRIPTOR_BYTES = 1 << 20;
    private static final int MAX_LOCK_BYTES = 64 << 20;

    /** The kinds of places that hold schemas. */
    enum Kind {
        DESCRIPTOR,
        FOLDER,
        LOCK,
        CONTAINER
    }

    /** Reads all schemas of one place. @throws DamagedFileException if a file's content does not match its head */
    static Source read(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            return folder(path);
        }
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        if (ContainerScan.isContainer(path)) {
            return new Source(path, Kind.CONTAINER, ContainerScan.of(path).schemasOrThrow(), Optional.empty());
        }
        if (isLock(path)) {
            SchemaLock lock = lock(path);
            List<Schema> schemas = lock.types().values().stream()
                    .flatMap(List::stream)
                    .map(LockedVersion::schema)
                    .toList();
            return new Source(path, Kind.LOCK, schemas, Optional.of(lock));
        }
        return new Source(path, Kind.DESCRIPTOR, List.of(descriptor(path)), Optional.empty());
    }

    /** The schemas of several places. */
    static List<Schema> schemas(List<Path> paths) throws IOException {
        List<Schema> schemas = new ArrayList<>();
        for (Path path : paths) {
            schemas.addAll(read(path).schemas());
        }
        return schemas;
    }

    /** The lock in a file. */
    static SchemaLock lock(Path path) throws IOException {
        checkSize(path, MAX_LOCK_BYTES);
        try {
            return SchemaLock.parse(Files.readString(path));
        } catch (CharacterCodingException e) {
            throw new UsageException("not a schema lock, since it is not UTF-8: file=" + path);
        } catch (CompactException e) {
            throw new DamagedFileException(path, e);
        }
    }

    private static boolean isLock(Path path) throws IOException {
        if (path.getFileName().toString().endsWith(".lock")) {
            return true;
        }
        try (InputStream in = Files.newInputStream(path)) {
            return in.read() == '#';
        }
    }

    private static Source folder(Path path) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(path)) {
            files = all.filter(file -> file.getFileName().toString().endsWith(SUFFIX) && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        }
        List<Schema> schemas = new ArrayList<>();
        for (Path file : files) {
            schemas.add(descriptor(file));
        }
        return new Source(path, Kind.FOLDER, schemas, Optional.empty());
    }

    private static Schema descriptor(Path path) throws IOException {
        checkSize(path, MAX_DESCRIPTOR_BYTES);
        try {
            return SchemaFormat.decode(Files.readAllBytes(path));
        } catch (CompactException e) {
            throw new DamagedFileException(path, e);
        }
    }

    private static void checkSize(Path path, long most) throws IOException {
        long bytes = Files.size(path);
        if (bytes > most) {
            throw new UsageException(
                    "file is too large: file=" + path + " bytes=" + bytes + ", expected at most " + most);
        }
    }
}
