import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Step of the build that writes a jar again so that its bytes depend on nothing but its contents. Without it a jar carries the umask of
 * the build, and a capsule the time of each entry and its artifacts in hash order.
 *
 * <p>Entries are sorted behind the manifest, have one time and no mode, and are stored: deflaters differ from JDK to JDK. Inside a capsule
 * the application's own jar is written again too, because the capsule took it before its turn came.
 *
 * <p>Run from source by the poms: {@code java JarNormaliser.java some.jar 2026-11-01T00:00:00Z}. A module without a jar has nothing to do.
 */
final class JarNormaliser {
    private static final Attributes.Name ARTIFACTS = new Attributes.Name("Embedded-Artifacts");
    private static final Attributes.Name APPLICATION = new Attributes.Name("Application-Jar");

    private final OffsetDateTime time;

    private JarNormaliser(OffsetDateTime time) {
        this.time = time;
    }

    /** Rewrites the jar {@code args[0]} with entries of the time {@code args[1]}. */
    public static void main(String[] args) throws IOException {
        Path jar = Path.of(args[0]);
        if (Files.exists(jar)) {
            byte[] bytes = new JarNormaliser(OffsetDateTime.parse(args[1])).normalised(Files.readAllBytes(jar));
            Path temporary = Files.write(jar.resolveSibling(jar.getFileName() + ".tmp"), bytes);
            Files.move(temporary, jar, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private byte[] normalised(byte[] jar) throws IOException {
        Map<String, byte[]> entries = entries(jar);
        Manifest manifest = new Manifest(new ByteArrayInputStream(entries.remove(JarFile.MANIFEST_NAME)));
        sortArtifacts(manifest.getMainAttributes());
        Object application = manifest.getMainAttributes().get(APPLICATION);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            add(out, JarFile.MANIFEST_NAME, bytes(manifest));
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                boolean nested = entry.getKey().equals(application);
                add(out, entry.getKey(), nested ? normalised(entry.getValue()) : entry.getValue());
            }
        }
        return bytes.toByteArray();
    }

    private static Map<String, byte[]> entries(byte[] jar) throws IOException {
        Map<String, byte[]> entries = new TreeMap<>();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(jar))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                entries.put(entry.getName(), in.readAllBytes());
            }
        }
        return entries;
    }

    private static void sortArtifacts(Attributes attributes) {
        attributes.computeIfPresent(
                ARTIFACTS,
                (name, value) ->
                        Stream.of(value.toString().trim().split(" +")).sorted().collect(Collectors.joining(" ")));
    }

    private static byte[] bytes(Manifest manifest) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        manifest.write(bytes);
        return bytes.toByteArray();
    }

    private void add(ZipOutputStream out, String name, byte[] bytes) throws IOException {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        ZipEntry entry = new ZipEntry(name);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(bytes.length);
        entry.setCrc(crc.getValue());
        entry.setTimeLocal(time.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime()); // no zone of the machine
        out.putNextEntry(entry);
        out.write(bytes);
        out.closeEntry();
    }
}
