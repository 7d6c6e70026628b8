/** The package {@code com.ericsson.otp.erlang} over the messaging node. */
module jinterface {
    requires static org.jspecify;
    requires static com.google.errorprone.annotations;
    requires dev.touchstone.messaging;

    exports com.ericsson.otp.erlang;
}
