import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Step of the build that rewrites jars so that their bytes depend on nothing but their contents. Without it a jar carries the umask of
 * the build, and a capsule the time of each entry and its artifacts in hash order.
 *
 * <p>Entries are sorted behind the manifest, have one time and no mode, and are compressed at the highest level where that makes them
 * smaller. Jars inside a jar are stored, because they are compressed already, except for the application's own jar inside a capsule: the
 * capsule took it before its turn came, so it is rewritten too. Compressors differ from JDK to JDK, and so do the class files that javac
 * writes: equal sources give equal bytes on one JDK (docs/adr/0013).
 *
 * <p>Every jar gets {@code META-INF/LICENSE} and {@code META-INF/NOTICE} and the manifest's entries that are given; an empty value removes
 * the entry.
 *
 * <p>Run from source by the poms: {@code java JarNormaliser.java TIME FOLDER [NAME=VALUE...] -- JAR...}, where FOLDER holds LICENSE and
 * NOTICE. A jar that does not exist is skipped: not every module has one.
 */
final class JarNormaliser {
    private static final Attributes.Name ARTIFACTS = new Attributes.Name("Embedded-Artifacts");
    private static final Attributes.Name APPLICATION = new Attributes.Name("Application-Jar");
    private static final List<String> LEGAL = List.of("LICENSE", "NOTICE");

    private final LocalDateTime time;
    private final Map<String, byte[]> legal = new TreeMap<>();
    private final Map<String, String> attributes = new TreeMap<>();

    private JarNormaliser(String time, Path folder, List<String> attributes) throws IOException {
        this.time = OffsetDateTime.parse(time)
                .withOffsetSameInstant(ZoneOffset.UTC) // no zone of the machine
                .toLocalDateTime();
        for (String name : LEGAL) {
            legal.put("META-INF/" + name, Files.readAllBytes(folder.resolve(name)));
        }
        for (String attribute : attributes) {
            int equals = attribute.indexOf('=');
            this.attributes.put(attribute.substring(0, equals), attribute.substring(equals + 1));
        }
    }

    /** Rewrites jars; the type's comment says which arguments there are. */
    public static void main(String[] args) throws IOException {
        List<String> list = List.of(args);
        int jars = list.indexOf("--");
        JarNormaliser normaliser = new JarNormaliser(args[0], Path.of(args[1]), list.subList(2, jars));
        for (String arg : list.subList(jars + 1, list.size())) {
            Path jar = Path.of(arg);
            if (Files.exists(jar)) {
                byte[] bytes = normaliser.normalised(Files.readAllBytes(jar));
                Path temporary = Files.write(jar.resolveSibling(jar.getFileName() + ".tmp"), bytes);
                Files.move(temporary, jar, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    private byte[] normalised(byte[] jar) throws IOException {
        Map<String, byte[]> entries = entries(jar);
        entries.putAll(legal);
        Manifest manifest = new Manifest(new ByteArrayInputStream(entries.remove(JarFile.MANIFEST_NAME)));
        sortArtifacts(manifest.getMainAttributes());
        setAttributes(manifest.getMainAttributes());
        Object application = manifest.getMainAttributes().get(APPLICATION);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            out.setLevel(Deflater.BEST_COMPRESSION);
            add(out, JarFile.MANIFEST_NAME, bytes(manifest));
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                boolean nested = entry.getKey().equals(application);
                add(out, entry.getKey(), nested ? normalised(entry.getValue()) : entry.getValue());
            }
        }
        return bytes.toByteArray();
    }

    private void setAttributes(Attributes target) {
        attributes.forEach((name, value) -> {
            if (value.isEmpty()) {
                target.remove(new Attributes.Name(name));
            } else {
                target.putValue(name, value);
            }
        });
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
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(time);
        if (name.endsWith(".jar") || !shrinks(bytes)) {
            CRC32 crc = new CRC32();
            crc.update(bytes);
            entry.setMethod(ZipEntry.STORED);
            entry.setSize(bytes.length);
            entry.setCrc(crc.getValue());
        }
        out.putNextEntry(entry);
        out.write(bytes);
        out.closeEntry();
    }

    private static boolean shrinks(byte[] bytes) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        try {
            deflater.setInput(bytes);
            deflater.finish();
            return deflater.deflate(new byte[bytes.length]) < bytes.length;
        } finally {
            deflater.end();
        }
    }
}
