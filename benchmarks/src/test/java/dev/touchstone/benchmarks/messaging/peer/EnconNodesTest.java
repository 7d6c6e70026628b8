package dev.touchstone.benchmarks.messaging.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import org.junit.jupiter.api.Test;

final class EnconNodesTest {

    @Test
    void epoll_linuxOnX86_isThereForEncon() {
        String machine = System.getProperty("os.name") + "/" + System.getProperty("os.arch");
        assumeTrue(machine.equals("Linux/amd64"), () -> "Netty's epoll is for Linux/amd64, not for " + machine);
        assertThat(Epoll.unavailabilityCause()).isNull();
    }
}
