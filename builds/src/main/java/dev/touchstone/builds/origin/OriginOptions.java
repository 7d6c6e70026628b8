package dev.touchstone.builds.origin;

import dev.touchstone.builds.access.Admission;
import dev.touchstone.builds.wire.MasterAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * Settings of a gateway.
 *
 * @param address to listen on; port 0 takes a free one
 * @param master where the master itself listens, for which the gateway is a client and an agent
 * @param admission the master's tokens, TLS and heartbeat
 * @param folder of the gateway alone, for the logs of builds that slaves run; emptied at the start
 * @param executors builds that each slave is given at the same time, since slaves do not say how many they run
 */
public record OriginOptions(
        InetSocketAddress address, MasterAddress master, Admission admission, Path folder, int executors) {}
