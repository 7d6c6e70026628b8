package dev.touchstone.queue.replica;

import dev.touchstone.queue.replication.GroupOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Does to the members of a simulated group what happens to those of a real one. */
public final class SimulatedMembers {
    private final List<String> members;
    private final SimulatedCluster cluster;

    /** Finds the group of these members. */
    public SimulatedMembers(List<String> members) {
        this.members = members;
        this.cluster = SimulatedEngine.cluster(
                new GroupOptions(members.get(0), members, Path.of("unused"), Duration.ofSeconds(1), null));
    }

    /** Makes a member the leader; the first has number 1. */
    public void lead(int number) {
        cluster.lead(members.get(number - 1));
    }

    /** Lets the leader take proposals and never answer, until another leads. */
    public void silence() {
        cluster.silence();
    }

    /** Returns how many proposals a silent leader has taken. */
    public int unanswered() {
        return cluster.unanswered();
    }

    /** Takes the majority away, or gives it back. */
    public void quorum(boolean quorum) {
        cluster.quorum(quorum);
    }

    /** Has a member load the last snapshot; false if there is none. */
    public boolean reload(int number) throws Exception {
        return cluster.reload(members.get(number - 1));
    }
}
