package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.connect.BuildClientFactory;
import dev.touchstone.builds.link.AgentLink;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.link.LinkOptions;
import dev.touchstone.builds.wire.MasterAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A long queue takes little of the master's memory. */
class MasterHeapTest {
    @TempDir
    Path folder;

    @Test
    @Timeout(120)
    void jobs_manyDifferentOnesQueued_outliveTheMasterInASmallHeap() throws Exception {
        queued(5_000);
    }

    @Test
    @Tag("slow")
    @Timeout(600)
    void jobs_100000DifferentOnesQueued_fitInto64Megabytes() throws Exception {
        queued(100_000);
    }

    private void queued(int jobs) throws Exception {
        List<String> flags = List.of("-Xmx64m", "-XX:+ExitOnOutOfMemoryError");
        try (MasterProcess master = new MasterProcess(folder, flags, List.of())) {
            try (BuildClient client = BuildClientFactory.connect(Site.options(master.port()));
                    FakeAgent agent = new FakeAgent(2, Set.of("later"), Set.of("bash"), run -> 0)) {
                List<Build> builds = new ArrayList<>();
                for (int i = 0; i < jobs; i++) {
                    builds.add(client.submit(
                            BuildRequest.of("git+file:///repositories/some/where.git", "branch-" + i, "script/build")
                                    .label("later")
                                    .noop(true)
                                    .environment(java.util.Map.of("NUMBER", "number " + i, "TEXT", "x".repeat(200)))
                                    .build()));
                }
                for (Build build : builds) {
                    Logs.end(build.accepted());
                }
                master.kill();
                master.start();
                LinkOptions link =
                        LinkOptions.of("later", new MasterAddress("127.0.0.1", master.port()), Site.SECURITY);
                try (AgentLink linked = AgentLink.start(agent, link)) {
                    for (Build build : builds) {
                        assertThat(Logs.end(build.result()).isSuccess()).isTrue();
                    }
                    assertThat(linked.isConnected()).isTrue();
                }
            }
        }
    }
}
