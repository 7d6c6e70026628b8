package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.agent.GitRepo;
import dev.touchstone.builds.agent.Marked;
import dev.touchstone.builds.connect.BuildClientFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 of masters and agents, each in a process of its own, while scripts run: no accepted job is lost, each has one result and a whole log. */
@SuppressWarnings("FutureReturnValueIgnored") // the futures of jobs are looked at one by one
class KilledProcessesTest {
    private static final System.Logger LOG = System.getLogger(KilledProcessesTest.class.getName());
    private static final int LINES = 10_000;
    private static final int BRANCHES = 6;
    private static final int UNDER_WAY = 8;

    @TempDir
    Path folder;

    private final List<Job> jobs = new ArrayList<>();
    private final AtomicInteger ended = new AtomicInteger();

    private record Job(String name, Build build, AtomicInteger results) {}

    @Test
    @Timeout(180)
    void agentsAndMaster_killedAFewTimes_loseNothing() throws Exception {
        kill(2, 2);
    }

    @Test
    @Tag("slow")
    @Timeout(7200)
    void agentsAndMaster_killedManyTimes_loseNothing() throws Exception {
        kill(Integer.getInteger("kills", 200), Integer.getInteger("kills", 200));
    }

    private void kill(int agentKills, int masterKills) throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        LOG.log(System.Logger.Level.INFO, "reproduce with -Dseed=" + seed);
        Random random = new Random(seed);
        String repository = "git+" + repository().url();
        int agentsLeft = agentKills;
        int mastersLeft = masterKills;
        long slowestNanos = 0;
        try (MasterProcess master = new MasterProcess(folder, List.of("-Xmx128m"), List.of("--grace", "60"));
                AgentProcess one = new AgentProcess(folder, "one", master.port(), List.of("-executors", "2"));
                AgentProcess two = new AgentProcess(folder, "two", master.port(), List.of("-executors", "2"));
                BuildClient client = BuildClientFactory.connect(Site.options(master.port()))) {
            while (agentsLeft + mastersLeft > 0) {
                while (jobs.size() - ended.get() < UNDER_WAY) {
                    submit(client, repository);
                }
                LockSupport.parkNanos(random.nextInt(250) * 1_000_000L);
                if (random.nextInt(agentsLeft + mastersLeft) < agentsLeft) {
                    agentsLeft--;
                    AgentProcess agent = random.nextBoolean() ? one : two;
                    agent.kill();
                    long start = System.nanoTime();
                    agent.start();
                    slowestNanos = Math.max(slowestNanos, System.nanoTime() - start);
                    assertThat(Marked.processes(agent.root(), "")).isEmpty();
                } else {
                    mastersLeft--;
                    master.kill();
                    master.start();
                }
            }
            check(seed);
            assertThat(Marked.processes(folder, "")).isEmpty();
        }
        say(agentKills, masterKills, slowestNanos);
    }

    /** Where the script prints 10 000 lines and leaves three processes running, two of them where their parent does not see them. */
    private GitRepo repository() {
        GitRepo repo = GitRepo.withScript(
                folder.resolve("repository"),
                "sleep 600 & disown",
                "setsid sleep 600 &",
                "(setsid bash -c 'sleep 600; true' &)",
                "for i in {1..10000}; do printf '%s %05d of 10000.\\n' $NAME $i; done");
        for (int i = 0; i < BRANCHES; i++) {
            repo.branch("branch" + i);
        }
        return repo;
    }

    private void submit(BuildClient client, String repository) {
        String name = String.format(Locale.ROOT, "%05d", jobs.size());
        Build build = client.submit(BuildRequest.of(repository, "branch" + jobs.size() % BRANCHES, "build.sh")
                .environment(java.util.Map.of("NAME", name))
                .build());
        Job job = new Job(name, build, new AtomicInteger());
        jobs.add(job);
        build.result().thenRun(() -> {
            job.results().incrementAndGet();
            ended.incrementAndGet();
        });
    }

    private void check(long seed) throws Exception {
        Set<String> ids = new HashSet<>();
        for (Job job : jobs) {
            BuildResult result = Logs.end(job.build().result());
            String what = result + " name=" + job.name() + " seed=" + seed;
            assertThat(result.attempts()).as(what).isBetween(1, 2);
            assertThat(ids.add(result.jobId())).as(what).isTrue();
            assertThat(job.results()).as(what).hasValue(1);
            if (result.code() == BuildCode.AGENT_LOST) {
                assertThat(result.attempts()).as(what).isEqualTo(2);
                continue;
            }
            assertThat(result.isSuccess()).as(what).isTrue();
            String log = Logs.text(job.build());
            assertThat((long) log.length()).as(what).isEqualTo(result.logBytes());
            assertThat(Logs.sha256(printed(log))).as(what).isEqualTo(Logs.sha256(expected(job.name())));
        }
    }

    /** What the last attempt's script printed. */
    private static byte[] printed(String log) {
        int start = log.indexOf('\n', log.lastIndexOf("---> Running the script")) + 1;
        int end = log.indexOf("\n---> ", start);
        return log.substring(start, end < 0 ? log.length() : end).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] expected(String name) {
        StringBuilder lines = new StringBuilder();
        for (int i = 1; i <= LINES; i++) {
            lines.append(name).append(String.format(Locale.ROOT, " %05d of 10000.\n", i));
        }
        return lines.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private void say(int agentKills, int masterKills, long slowestNanos) throws Exception {
        int twice = 0;
        int lost = 0;
        for (Job job : jobs) {
            BuildResult result = Logs.end(job.build().result());
            twice += result.attempts() - 1;
            lost += result.code() == BuildCode.AGENT_LOST ? 1 : 0;
        }
        Figures.say(
                "kills of processes: %d of agents, %d of the master; %d jobs accepted, 0 lost, one result each; %d had a second attempt,"
                        + " %d of these lost it too and say so; the logs of the other %d byte-exact; 0 processes left; slowest restart of an agent %d ms",
                agentKills,
                masterKills,
                jobs.size(),
                twice,
                lost,
                jobs.size() - lost,
                TimeUnit.NANOSECONDS.toMillis(slowestNanos));
    }
}
