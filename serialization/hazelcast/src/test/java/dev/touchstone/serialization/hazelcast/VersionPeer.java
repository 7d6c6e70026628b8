package dev.touchstone.serialization.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.BuildInfoProvider;
import dev.touchstone.serialization.GenericView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A client with the Hazelcast of its class path, told by lines what to do: {@code write <map> <first> <count> <type>}, {@code check <map>
 * <count>}. It answers {@code done} and the version. It ends with its standard input.
 */
final class VersionPeer {
    private VersionPeer() {}

    public static void main(String[] args) throws IOException {
        List<Integer> ports = Arrays.stream(args).skip(1).map(Integer::valueOf).toList();
        try (Cluster cluster = new Cluster();
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            HazelcastInstance client = cluster.client(Cluster.clientConfig(args[0], ports));
            System.out.println("up");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                List<String> words = List.of(line.split(" ", -1));
                if (words.get(0).equals("write")) {
                    write(
                            client,
                            words.get(1),
                            Integer.parseInt(words.get(2)),
                            Integer.parseInt(words.get(3)),
                            words.get(4));
                } else {
                    check(client, words.get(1), Integer.parseInt(words.get(2)));
                }
                System.out.println("done " + BuildInfoProvider.getBuildInfo().getVersion());
            }
        }
    }

    /** Writes counters of a type. */
    static void write(HazelcastInstance instance, String map, int first, int count, String type) {
        CompactMap<Integer, Counter> counters = CompactMap.of(instance, map, new Counter.Codec(Counter.schema(type)));
        Map<Integer, Counter> half = new HashMap<>();
        for (int i = first; i < first + count; i++) {
            if (i % 2 == 0) {
                half.put(i, new Counter(i));
            } else {
                counters.set(i, new Counter(i));
            }
        }
        counters.setAll(half);
    }

    /** Checks that a map has so many counters, of whatever types, by reads and queries. */
    static void check(HazelcastInstance instance, String map, int count) {
        CompactMap<Integer, Counter> counters =
                CompactMap.of(instance, map, new Counter.Codec(Counter.schema("reader")));
        List<Object> wrong = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            GenericView view = counters.getView(i);
            if (view == null || !Objects.equals(view.value("number"), i)) {
                wrong.add(i);
            }
        }
        if (!wrong.isEmpty()
                || counters.map()
                                .keySet(FieldPredicate.between("number", 0, count))
                                .size()
                        != count
                || counters.map().size() != count) {
            throw new AssertionError("wrong=" + wrong + " size=" + counters.size());
        }
    }
}
