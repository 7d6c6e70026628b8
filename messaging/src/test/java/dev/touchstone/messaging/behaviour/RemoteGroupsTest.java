package dev.touchstone.messaging.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RemoteGroupsTest {
    private static final Atom NODE = Atom.of("a@localhost");
    private static final int MAX_BYTES = 1 << 20;

    private final RemoteGroups groups = new RemoteGroups(MAX_BYTES);

    @Test
    void changes_atRandom_areThoseOfLists() {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        Map<Term, List<Pid>> expected = new HashMap<>();
        for (int round = 0; round < 3_000; round++) {
            List<Pid> pids = randomPids(random);
            if (random.nextInt(3) == 0) {
                Term group = Int.of(random.nextInt(4));
                groups.add(group, pids);
                expected.computeIfAbsent(group, name -> new ArrayList<>()).addAll(pids);
            } else {
                List<Term> names = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    names.add(Int.of(random.nextInt(4)));
                }
                Set<Term> changed = removeOneByOne(expected, pids, names);
                assertThat(groups.remove(pids, names))
                        .as("-Dseed=" + seed)
                        .containsExactlyInAnyOrderElementsOf(changed);
            }
            expected.values().removeIf(List::isEmpty);
            assertThat(groups.names()).as("-Dseed=" + seed).isEqualTo(expected.keySet());
            expected.forEach((group, members) -> assertThat(groups.members(group))
                    .as("-Dseed=" + seed)
                    .containsExactlyInAnyOrderElementsOf(members));
            assertThat(groups.bytes() == 0).as("-Dseed=" + seed).isEqualTo(expected.isEmpty());
        }
    }

    private static List<Pid> randomPids(SplittableRandom random) {
        List<Pid> pids = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            pids.add(Pid.of(NODE, random.nextInt(3), 0, 1));
        }
        return pids;
    }

    private static Set<Term> removeOneByOne(Map<Term, List<Pid>> from, List<Pid> pids, List<Term> names) {
        Set<Term> changed = new HashSet<>();
        for (Term name : names) {
            for (Pid pid : pids) {
                if (from.containsKey(name) && from.get(name).remove(pid)) {
                    changed.add(name);
                }
            }
        }
        return changed;
    }

    @Test
    void bytes_ofANameAboveTheBound_areAboveIt() {
        List<Pid> member = List.of(Pid.of(NODE, 1, 0, 1));
        groups.add(Binary.of(new byte[MAX_BYTES / 64]), member);
        assertThat(groups.bytes()).isBetween(MAX_BYTES / 2L, (long) MAX_BYTES);
        groups.add(Binary.of(new byte[2 * MAX_BYTES]), member);
        assertThat(groups.bytes()).isGreaterThan(MAX_BYTES);
    }
}
