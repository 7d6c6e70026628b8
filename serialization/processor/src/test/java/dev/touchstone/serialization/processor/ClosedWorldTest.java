package dev.touchstone.serialization.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.serialization.CompactCodec;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What generated code needs: nothing that is found at run time only. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClosedWorldTest {
    private static final String[] SOURCES = {"""
        package p;
        import dev.touchstone.serialization.annotation.*;
        @Compact
        public sealed interface S {
            @Compact enum E implements S { A }
            @Compact record R(S s, E[] es, R[] rs) implements S {}
        }
        """, """
        package p;
        import dev.touchstone.serialization.annotation.*;
        import java.time.*;
        import java.util.*;
        @Compact(encode = {
            Encoding.COLLECTIONS, Encoding.ENUM_AS_STRING, Encoding.INSTANT_AS_TIMESTAMP, Encoding.TIME_AS_STRING,
            Encoding.UUID_AS_STRING})
        public class T {
            int a;
            String b = "b";
            List<Instant> c;
            Map<UUID, S.R> d;
            Set<Year> e;
            Thread.State[] f;
            S g;
            OffsetDateTime[] h;
        }
        """};

    @Test
    void sources_haveNoReflection() {
        String sources = Compilation.of(SOURCES).clean().generated();
        assertThat(sources).contains("class TCodec", "class TView", "class TCompactSerializer", "class S_RCodec");
        assertThat(sources)
                .doesNotContain(
                        "reflect", "forName", "MethodHandle", "getDeclared", "setAccessible", "Unsafe", "getMethod");
    }

    @Test
    void classes_needTheCodecOnly(@TempDir Path folder) throws IOException, URISyntaxException {
        Compilation compilation = Compilation.of(SOURCES).clean();
        compilation.outputs.keySet().removeIf(path -> !path.endsWith(".class"));
        compilation.writeTo(folder);
        List<String> needed = jdeps(folder, "p\\..*(Codec|View)");
        assertThat(needed).containsExactlyInAnyOrder("java.base", "codec");
        assertThat(jdeps(folder, "p\\..*CompactSerializer"))
                .containsExactlyInAnyOrder("java.base", "codec", "hazelcast");
    }

    /** Where the classes are that those of a folder with some names use: JDK modules, or {@code codec} and {@code hazelcast}. */
    private static List<String> jdeps(Path folder, String names) throws URISyntaxException {
        Path codec = Path.of(CompactCodec.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        String hazelcast = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> path.contains("hazelcast-"))
                .findFirst()
                .orElseThrow();
        StringWriter out = new StringWriter();
        int code = ToolProvider.findFirst("jdeps")
                .orElseThrow()
                .run(
                        new PrintWriter(out),
                        new PrintWriter(out),
                        "-verbose:class",
                        "-filter:none",
                        "--multi-release",
                        "base",
                        "-cp",
                        codec + File.pathSeparator + hazelcast,
                        folder.toString());
        assertThat(code).as(out.toString()).isZero();
        return out.toString()
                .lines()
                .map(line -> line.strip().split(" +-> +|  +"))
                .filter(words -> words.length == 3 && words[0].matches(names) && !words[1].startsWith("p."))
                .map(words -> words[2])
                .map(place -> place.startsWith("hazelcast-") ? "hazelcast" : place)
                .map(place -> place.equals(codec.getFileName().toString()) ? "codec" : place)
                .distinct()
                .toList();
    }
}
