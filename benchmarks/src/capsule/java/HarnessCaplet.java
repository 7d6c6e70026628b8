import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Caplet that starts the harness in a JVM of its own, from an unpacked copy of the capsule named by the capsule's content.
 *
 * <p>Capsule keys its cache by name and time, keeps one of several {@code --add-opens}, stumbles over four-part versions and leaves JMH's
 * forks running after a signal (docs/adr/0001); so this class does the unpacking, the command line and the end itself. Capsule wants a
 * caplet to be one class file in the default package, without nested classes.
 *
 * <p>Layout below {@code ~/.capsule/apps} (or {@code $CAPSULE_CACHE_DIR}, or the temporary folder where neither can be written):
 *
 * <pre>
 * touchstone-SHA256/       complete once it has this name; the jars of one capsule, and .lock, held shared by every JVM that uses it
 * touchstone-new-RANDOM/   being unpacked
 * touchstone-old-SHA256/   being deleted
 * </pre>
 */
@SuppressWarnings("DefaultPackage")
public final class HarnessCaplet extends Capsule {
    private static final String PREFIX = "touchstone-";
    private static final String NEW = PREFIX + "new-";
    private static final String OLD = PREFIX + "old-";
    private static final String LOCK = ".lock";
    private static final String OPENS = "META-INF/touchstone/add-opens.txt";
    private static final int KEPT = 3;
    private static final int ATTEMPTS = 5;
    private static final Duration LEFTOVER = Duration.ofHours(1);
    private static final Duration GRACE = Duration.ofMillis(800);
    private static final int POLL_MILLIS = 20;
    private static final int FAILED = 4;
    private static final int TERMINATED = 143;

    /** Shared lock on the folder in use, held until this JVM ends: what runs is never pruned. */
    private FileLock held;

    private Path temporaryRoot;

    /** Called by Capsule; {@code previous} is the caplet before this one. */
    public HarnessCaplet(Capsule previous) {
        super(previous);
    }

    @Override
    protected ProcessBuilder prelaunch(List<String> jvmArgs, List<String> args) {
        try (JarFile capsule = new JarFile(getJarFile().toFile())) {
            List<JarEntry> jars = jars(capsule);
            return new ProcessBuilder(command(unpacked(capsule, jars), jars, jvmArgs, args));
        } catch (IOException e) {
            STDERR.println("touchstone: cannot unpack " + getJarFile() + ": " + e.getMessage());
            deleteTemporaryRoot();
            System.exit(FAILED);
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected int launch(ProcessBuilder builder) throws IOException, InterruptedException {
        Process child = builder.inheritIO().start();
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(child), "end"));
        } catch (IllegalStateException e) { // a signal came first
            end(child);
            return TERMINATED;
        }
        return child.waitFor();
    }

    /** Asks the child to end, which lets the harness say how to resume; after the grace ends it and all that it ever started. */
    private void end(Process child) {
        Set<ProcessHandle> started = new HashSet<>();
        child.descendants().forEach(started::add);
        child.destroy();
        long deadline = System.nanoTime() + GRACE.toNanos();
        try {
            while (!child.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS) && System.nanoTime() - deadline < 0) {
                child.descendants().forEach(started::add); // a fork that began after the signal
            }
            child.descendants().forEach(started::add);
            child.destroyForcibly();
            started.forEach(ProcessHandle::destroyForcibly);
            child.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        deleteTemporaryRoot();
    }

    // ---- the command ----

    /** The JVM that runs this one, our flags, then the user's, which therefore win. */
    private List<String> command(Path folder, List<JarEntry> jars, List<String> jvmArgs, List<String> args)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(opens(folder.resolve(jars.get(0).getName())));
        if (Runtime.version().feature() >= 24) { // JMH 1.37 and the peers still use what these JVMs warn of
            command.add("--sun-misc-unsafe-memory-access=allow");
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        jvmArgs.stream().filter(arg -> !arg.startsWith("-Dcapsule.")).forEach(command::add);
        command.add("-Dtouchstone.parentPid=" + ProcessHandle.current().pid());
        command.add("-classpath");
        command.add(String.join(
                System.getProperty("path.separator"),
                jars.stream()
                        .map(jar -> folder.resolve(jar.getName()).toString())
                        .toList()));
        command.add(getAttribute(ATTR_APP_CLASS));
        command.addAll(args);
        return command;
    }

    /** All openings of the list that name a module of this JVM: it would warn of another. */
    private static List<String> opens(Path applicationJar) throws IOException {
        try (JarFile jar = new JarFile(applicationJar.toFile())) {
            JarEntry list = jar.getJarEntry(OPENS);
            if (list == null) {
                return List.of();
            }
            String text = new String(jar.getInputStream(list).readAllBytes(), StandardCharsets.UTF_8);
            return text.lines()
                    .filter(line -> line.startsWith("--"))
                    .filter(line -> ModuleLayer.boot()
                            .findModule(line.substring(line.indexOf('=') + 1, line.indexOf('/')))
                            .isPresent())
                    .toList();
        }
    }

    /** The capsule's jars in class path order: the application's, then the others by name. */
    private static List<JarEntry> jars(JarFile capsule) throws IOException {
        String application = capsule.getManifest().getMainAttributes().getValue("Application-Jar");
        return capsule.stream()
                .filter(entry -> entry.getName().matches("[^/\\\\]+\\.jar"))
                .sorted(Comparator.comparing(
                                (JarEntry entry) -> !entry.getName().equals(application))
                        .thenComparing(JarEntry::getName))
                .toList();
    }

    // ---- the unpacked copy ----

    private Path unpacked(JarFile capsule, List<JarEntry> jars) throws IOException {
        String name = PREFIX + sha256(getJarFile());
        String chosen = System.getenv("CAPSULE_CACHE_DIR");
        Path home = chosen != null ? Path.of(chosen) : Path.of(System.getProperty("user.home"), ".capsule");
        try {
            return claimed(home.resolve("apps"), name, capsule, jars);
        } catch (IOException e) {
            log(LOG_VERBOSE, "no cache below " + home + ": " + e);
            temporaryRoot = Files.createTempDirectory(PREFIX);
            return claimed(temporaryRoot, name, capsule, jars);
        }
    }

    /** Returns the folder {@code name} below {@code root}, complete and held against pruning. */
    private Path claimed(Path root, String name, JarFile capsule, List<JarEntry> jars) throws IOException {
        Files.createDirectories(root);
        Path folder = root.resolve(name);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (!Files.isDirectory(folder)) {
                unpack(root, folder, capsule, jars);
            }
            held = lock(folder, true);
            if (held != null && isComplete(folder, jars)) {
                prune(root, folder);
                return folder;
            }
            release(); // half of it is gone, or another process pruned it between our two looks
            discard(folder);
        }
        throw new IOException("no complete copy in " + folder + " after " + ATTEMPTS + " attempts");
    }

    private static void unpack(Path root, Path folder, JarFile capsule, List<JarEntry> jars) throws IOException {
        Path temporary = Files.createTempDirectory(root, NEW);
        try {
            for (JarEntry jar : jars) {
                try (InputStream in = capsule.getInputStream(jar)) {
                    Files.copy(in, temporary.resolve(jar.getName()));
                }
            }
            Files.createFile(temporary.resolve(LOCK));
            Files.move(temporary, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            deleteTree(temporary);
            if (!Files.isDirectory(folder)) { // else another process was first
                throw e;
            }
        }
    }

    private static boolean isComplete(Path folder, List<JarEntry> jars) throws IOException {
        for (JarEntry jar : jars) {
            Path file = folder.resolve(jar.getName());
            if (!Files.isRegularFile(file) || Files.size(file) != jar.getSize()) {
                return false;
            }
        }
        return true;
    }

    /** A lock on the folder for the life of this JVM, or null where the folder has none or another process is in the way. */
    private static FileLock lock(Path folder, boolean shared) throws IOException {
        FileChannel channel = null;
        FileLock lock = null;
        try {
            Path file = folder.resolve(LOCK);
            channel = shared ? FileChannel.open(file, READ) : FileChannel.open(file, WRITE, CREATE);
            lock = shared ? channel.lock(0, Long.MAX_VALUE, true) : channel.tryLock();
        } catch (NoSuchFileException e) {
            return null;
        } finally {
            if (lock == null && channel != null) {
                channel.close();
            }
        }
        return lock;
    }

    private void release() throws IOException {
        if (held != null) {
            held.acquiredBy().close();
            held = null;
        }
    }

    /** Deletes all but the newest copies that no JVM uses. A copy that can't be deleted stays for the next start. */
    private static void prune(Path root, Path mine) {
        try (Stream<Path> files = Files.list(root)) {
            Files.setLastModifiedTime(mine, FileTime.from(Instant.now()));
            List<Path> copies = files.filter(
                            file -> file.getFileName().toString().startsWith(PREFIX))
                    .filter(file -> Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
                    .sorted(Comparator.comparing(HarnessCaplet::lastUse).reversed())
                    .toList();
            int seen = 0;
            for (Path copy : copies) {
                String name = copy.getFileName().toString();
                if (name.startsWith(NEW) || name.startsWith(OLD)) {
                    if (lastUse(copy).isBefore(Instant.now().minus(LEFTOVER))) {
                        deleteTree(copy);
                    }
                } else if (++seen > KEPT && !copy.equals(mine)) {
                    discard(copy);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            log(LOG_VERBOSE, "not pruned: " + e);
        }
    }

    private static Instant lastUse(Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Renames the copy away, so that nobody starts from it any more, then deletes it; leaves one that is in use. */
    private static void discard(Path copy) throws IOException {
        FileLock lock = lock(copy, false);
        if (lock == null) {
            return;
        }
        try {
            Path old = copy.resolveSibling(
                    OLD + copy.getFileName().toString().substring(PREFIX.length()) + "-" + System.nanoTime());
            Files.move(copy, old, StandardCopyOption.ATOMIC_MOVE);
            deleteTree(old);
        } finally {
            lock.acquiredBy().close();
        }
    }

    private void deleteTemporaryRoot() {
        try {
            if (temporaryRoot != null) {
                deleteTree(temporaryRoot);
            }
        } catch (IOException e) {
            log(LOG_VERBOSE, "left behind: " + temporaryRoot + ": " + e);
        }
    }

    private static void deleteTree(Path tree) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(tree)) {
            files = found.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }

    private static String sha256(Path file) throws IOException {
        try (DigestInputStream in =
                new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
