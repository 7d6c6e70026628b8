package dev.touchstone.serialization.cli;

import dev.touchstone.cli.UsageException;
import dev.touchstone.serialization.exception.CompactLockException;
import dev.touchstone.serialization.schema.LockedVersion;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.SchemaLock;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A place that schemas come from. Which kind it is, is seen from the bytes; a folder stands for the descriptors in it and below.
 *
 * @param path of it
 * @param kind of it
 * @param descriptors that are in it, those of a lock oldest first
 * @param lock that it is, if it is one
 */
record Source(Path path, Kind kind, List<TypeDescriptor> descriptors, Optional<SchemaLock> lock) {
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
            return new Source(path, Kind.FOLDER, descriptorsOf(path), Optional.empty());
        }
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        if (ContainerScan.isContainer(path)) {
            List<Schema> schemas = ContainerScan.of(path).schemasOrThrow();
            return new Source(path, Kind.CONTAINER, TypeDescriptor.ofSchemas(schemas), Optional.empty());
        }
        if (isLock(path)) {
            SchemaLock lock = lock(path);
            List<TypeDescriptor> descriptors = lock.types().values().stream()
                    .flatMap(List::stream)
                    .map(LockedVersion::descriptor)
                    .toList();
            return new Source(path, Kind.LOCK, descriptors, Optional.of(lock));
        }
        checkSize(path, TypeDescriptor.MAX_BYTES);
        return new Source(path, Kind.DESCRIPTOR, descriptorsOf(path), Optional.empty());
    }

    /** Returns the descriptors of several places. */
    static List<TypeDescriptor> descriptors(List<Path> paths) throws IOException {
        List<TypeDescriptor> descriptors = new ArrayList<>();
        for (Path path : paths) {
            descriptors.addAll(read(path).descriptors());
        }
        return descriptors;
    }

    /** The lock in a file. */
    static SchemaLock lock(Path path) throws IOException {
        requireNoFolder(path);
        checkSize(path, SchemaLock.MAX_BYTES);
        try {
            return SchemaLock.read(path);
        } catch (CharacterCodingException e) {
            throw new UsageException("not a schema lock, since it is not UTF-8: file=" + path);
        } catch (CompactLockException e) {
            throw new DamagedFileException(e);
        }
    }

    /** Refuses a folder where a file is read: the failure of reading it would not name it. */
    static void requireNoFolder(Path path) {
        if (Files.isDirectory(path)) {
            throw new UsageException("expected a file, got a folder: path=" + path);
        }
    }

    private static boolean isLock(Path path) throws IOException {
        if (path.getFileName().toString().endsWith(".lock")) {
            return true;
        }
        try (InputStream in = Files.newInputStream(path)) {
            String start = new String(in.readNBytes(SchemaLock.START.length()), StandardCharsets.UTF_8);
            return start.equals(SchemaLock.START);
        }
    }

    private static List<TypeDescriptor> descriptorsOf(Path path) throws IOException {
        try {
            return Files.isDirectory(path) ? TypeDescriptor.readAll(path) : List.of(TypeDescriptor.read(path));
        } catch (CompactLockException e) {
            throw new DamagedFileException(e);
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
