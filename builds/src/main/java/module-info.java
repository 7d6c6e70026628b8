/** CI builds: a master that queues jobs, agents that run them, clients that hand them over and follow their output. */
module dev.touchstone.builds {
    requires static org.jspecify;
    requires transitive dev.touchstone.messaging;
    requires dev.touchstone.cli;
    requires dev.touchstone.queue;
    requires com.fasterxml.jackson.databind;
    requires info.picocli;
    requires jdk.httpserver;
    requires lettuce.core;
    requires org.eclipse.jgit;
    requires org.snakeyaml.engine;

    exports dev.touchstone.builds;

    opens dev.touchstone.builds.cli to
            info.picocli;
    opens dev.touchstone.builds.web to
            com.fasterxml.jackson.databind;
}
