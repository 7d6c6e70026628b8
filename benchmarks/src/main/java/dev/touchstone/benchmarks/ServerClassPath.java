package dev.touchstone.benchmarks;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The class path of this JVM, but with the Netty that index-server and the Redis client of builds were built for in the place of the one that other peers
 * need. The jars of the former lie as resources beside our classes, where nothing loads them by accident, and are unpacked for the time of use.
 */
public final class ServerClassPath implements Closeable {
    private static final String FOLDER = "/META-INF/touchstone/jars/index-server/";

    /** The jars that the build copies; see execution netty-of-index-server of the pom. */
    private static final List<String> JARS = List.of(
            "netty-buffer.jar",
            "netty-codec-base.jar",
            "netty-codec-compression.jar",
            "netty-codec-dns.jar",
            "netty-codec-http.jar",
            "netty-common.jar",
            "netty-handler.jar",
            "netty-resolver.jar",
            "netty-resolver-dns.jar",
            "netty-transport.jar",
            "netty-transport-classes-epoll.jar",
            "netty-transport-native-epoll-linux-aarch_64.jar",
            "netty-transport-native-epoll-linux-x86_64.jar",
            "netty-transport-native-unix-common.jar");

    private static final Pattern OTHER_NETTY = Pattern.compile("netty-.*\\.jar");

    private final Path folder;

    private ServerClassPath(Path folder) {
        this.folder = folder;
    }

    /** Unpacks the jars. */
    public static ServerClassPath unpack() throws IOException {
        ServerClassPath made = new ServerClassPath(Files.createTempDirectory("touchstone-index-server"));
        try {
            for (String jar : JARS) {
                try (InputStream in = ServerClassPath.class.getResourceAsStream(FOLDER + jar)) {
                    if (in == null) {
                        throw new IOException("no resource " + FOLDER + jar);
                    }
                    Files.copy(in, made.folder.resolve(jar));
                }
            }
        } catch (IOException e) {
            made.close();
            throw e;
        }
        return made;
    }

    /** Returns the class path as an argument of {@code java -cp}. */
    public String text() {
        List<String> parts = new ArrayList<>();
        JARS.forEach(jar -> parts.add(folder.resolve(jar).toString()));
        for (String part : System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator), -1)) {
            if (!OTHER_NETTY.matcher(new File(part).getName()).matches()) {
                parts.add(part);
            }
        }
        return String.join(File.pathSeparator, parts);
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(ServerClassPath::delete);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
