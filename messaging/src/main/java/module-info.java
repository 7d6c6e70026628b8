/** An Erlang distribution node: talks to real Erlang, with no run-time dependency and no JVM flag. */
@SuppressWarnings("module") // jinterface is built later
module dev.touchstone.messaging {
    requires static com.google.errorprone.annotations;
    requires static jdk.jfr;
    requires static org.jspecify;

    exports dev.touchstone.messaging;
    exports dev.touchstone.messaging.behaviour;
    exports dev.touchstone.messaging.databind;
    exports dev.touchstone.messaging.epmd;
    exports dev.touchstone.messaging.etf;
    exports dev.touchstone.messaging.identity;
    exports dev.touchstone.messaging.spi to
            jinterface;
    exports dev.touchstone.messaging.stats;
    exports dev.touchstone.messaging.term;

    uses dev.touchstone.messaging.NodeBuilder;

    provides dev.touchstone.messaging.NodeBuilder with
            dev.touchstone.messaging.engine.LocalNodeBuilder;
}
