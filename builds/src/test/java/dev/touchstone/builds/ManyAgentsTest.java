package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.link.AgentLink;
import dev.touchstone.builds.link.FakeAgent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Very many agents at one master. */
class ManyAgentsTest {
    @TempDir
    Path folder;

    @Test
    @Timeout(180)
    void agents_aHundred_eachGetAJob() throws Exception {
        agents(100);
    }

    @Test
    @Tag("slow")
    @Timeout(900)
    void agents_aThousand_eachGetAJob() throws Exception {
        agents(1_000);
    }

    private void agents(int count) throws Exception {
        try (Site site = new Site(folder)) {
            List<AgentLink> links = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                FakeAgent agent = site.with(new FakeAgent(1, Set.of("label" + i), Set.of("bash"), run -> {
                    run.print("here\n");
                    return 0;
                }));
                links.add(site.agent("agent" + i, agent));
            }
            for (AgentLink link : links) {
                Until.isTrue("connected", link::isConnected);
            }
            BuildClient client = site.client();
            List<Build> builds = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                builds.add(client.submit(Site.request().label("label" + i).build()));
            }
            for (int i = 0; i < count; i++) {
                BuildResult result = Logs.end(builds.get(i).result());
                assertThat(result.isSuccess()).as(result.toString()).isTrue();
                assertThat(result.agent()).isEqualTo("agent" + i);
            }
            Figures.say(
                    "agents: %d connected at once, each with a job of its own; heap of the JVM with all of them and the master %d MB",
                    count, used() >> 20);
        }
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
