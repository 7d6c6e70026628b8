package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.instance.BuildInfoProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bridge with each version that it is for. All other tests run with the newest. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VersionsTest {
    @Test
    void olderVersions_inJvmsOfTheirOwn_doTheSame() throws IOException {
        Map<String, OwnJvm> started = new LinkedHashMap<>();
        try {
            for (String version : List.of("5.4.0", "5.5.0", "5.6.0")) {
                started.put(version, OwnJvm.start(OwnJvm.classPathWith(jar(version)), VersionMain.class));
            }
            for (Map.Entry<String, OwnJvm> each : started.entrySet()) {
                assertThat(each.getValue().await("passed ")).isEqualTo(each.getKey());
            }
        } finally {
            for (OwnJvm each : started.values()) {
                each.close();
            }
        }
    }

    private static Path jar(String version) {
        Path jar = Path.of(System.getProperty("hazelcast.versions", ""), "hazelcast-" + version + ".jar");
        assertThat(Files.isRegularFile(jar)).as("the build copies %s", jar).isTrue();
        return jar;
    }

    @Test
    void newestVersion_isWhatTheOtherTestsRunWith() {
        assertThat(BuildInfoProvider.getBuildInfo().getVersion()).isEqualTo("5.7.0");
    }
}
