package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.identity.NodeName;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * TLS around each connection of a node. Both ends show a certificate; that of a node that we connect to must name the host of its node
 * name, unless the customizer says otherwise. Immutable.
 *
 * @param context has the certificates that are shown and trusted
 * @param customizer changes the parameters of each connection
 * @param checksClientHost whether the certificate of a node that connects to us must name the host of its node name
 */
public record TlsWrapping(SSLContext context, Consumer<? super SSLParameters> customizer, boolean checksClientHost)
        implements Carrier.Wrapping {
    @Override
    public Carrier wrap(Carrier carrier, @Nullable NodeName dialed) throws IOException {
        SSLEngine engine = dialed == null ? context.createSSLEngine() : context.createSSLEngine(dialed.host(), -1);
        engine.setUseClientMode(dialed != null);
        SSLParameters parameters = engine.getSSLParameters();
        if (dialed == null) {
            parameters.setNeedClientAuth(true);
        } else {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            parameters.setServerNames(serverNames(dialed.host()));
        }
        customizer.accept(parameters);
        engine.setSSLParameters(parameters);
        return new TlsCarrier(carrier, engine, dialed == null && checksClientHost);
    }

    /** Returns the name to ask for; none for an address, nor for a host that is no name of the DNS. */
    private static List<SNIServerName> serverNames(String host) {
        try {
            return CertificateHosts.isAddress(host) ? List.of() : List.of(new SNIHostName(host));
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }
}
