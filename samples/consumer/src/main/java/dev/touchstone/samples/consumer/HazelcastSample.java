package dev.touchstone.samples.consumer;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import dev.touchstone.serialization.hazelcast.CompactMap;
import dev.touchstone.serialization.hazelcast.FieldPredicate;
import java.nio.file.Path;
import java.util.List;

/** Keeps records in a map of a Hazelcast member that runs alone on the loopback address, and finds them by a field. */
final class HazelcastSample implements Sample {
    /** Returns the configuration of a member that finds no others. */
    static Config alone() {
        Config config = new Config().setClusterName("consumer" + ProcessHandle.current().pid());
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.socket.bind.any", "false");
        config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
        config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        return config;
    }

    @Override
    public void run(Path folder) {
        HazelcastInstance member = Hazelcast.newHazelcastInstance(alone());
        try {
            CompactMap<String, City> cities = CompactMap.of(member, "cities", CityCodec.INSTANCE);
            City faro = new City("Faro", 67_650);
            cities.set("FAO", faro);
            cities.set("LIS", new City("Lisboa", 545_923));
            Sample.check(List.of(faro), cities.values(FieldPredicate.between("inhabitants", 1, 100_000)));
        } finally {
            member.getLifecycleService().terminate();
        }
    }
}
