{{- define "kitseal.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "kitseal.labels" -}}
app.kubernetes.io/name: kitseal
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* For the Pod Security Standard "restricted". */}}
{{- define "kitseal.pod" -}}
# Kubernetes would set KITSEAL_PORT=tcp://… for the Service "kitseal", which looks like a setting.
enableServiceLinks: false
automountServiceAccountToken: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "kitseal.container" -}}
image: {{ include "kitseal.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }
{{- end }}

{{- define "kitseal.objects" -}}
{{- with .Values.s3 -}}
{{- $query := list -}}
{{- if .endpoint }}{{ $query = append $query (printf "endpoint=%s" .endpoint) }}{{ end -}}
{{- if .region }}{{ $query = append $query (printf "region=%s" .region) }}{{ end -}}
{{- if .pathStyle }}{{ $query = append $query "path_style=true" }}{{ end -}}
s3://{{ .bucket }}{{ if .prefix }}/{{ .prefix }}{{ end }}{{ if $query }}?{{ join "&" $query }}{{ end }}
{{- end -}}
{{- end }}

{{/*
The settings of every node, as a list of variables. Those in `settings` take precedence. The mark of the log is in the bucket, which all
nodes share, and not in the folder of the image.
*/}}
{{- define "kitseal.env" -}}
{{- $values := .Values -}}
{{- $env := dict
  "KITSEAL_ISSUER" .Values.issuer
  "KITSEAL_TRUST_PROXY" "1"
  "KITSEAL_OBJECTS" (include "kitseal.objects" .)
  "KITSEAL_DATABASE_URL_FILE" (printf "/run/secrets/kitseal/%s" .Values.postgresql.urlKey)
  "KITSEAL_METRICS_LISTEN" "0.0.0.0:9464"
  "KITSEAL_LOG_MARK" ""
  "KITSEAL_PROOF" .Values.witnesses.proof
-}}
{{- with .Values.keyPassphraseKey }}{{ $_ := set $env "KITSEAL_KEY_PASSPHRASE_FILE" (printf "/run/secrets/kitseal/%s" .) }}{{ end -}}
{{- with .Values.s3.credentialsKey }}{{ $_ := set $env "AWS_SHARED_CREDENTIALS_FILE" (printf "/run/secrets/kitseal/%s" .) }}{{ end -}}
{{- with .Values.mail.urlKey }}{{ $_ := set $env "KITSEAL_SMTP_URL_FILE" (printf "/run/secrets/kitseal/%s" .) }}{{ $_ := set $env "KITSEAL_MAIL_FROM" $values.mail.from }}{{ end -}}
{{- with .Values.oidc }}{{ if .issuer -}}
{{- $_ := set $env "KITSEAL_OIDC_ISSUER" .issuer -}}
{{- $_ := set $env "KITSEAL_OIDC_CLIENT_ID" .clientId -}}
{{- $_ := set $env "KITSEAL_OIDC_CLIENT_SECRET_FILE" (printf "/run/secrets/kitseal/%s" .clientSecretKey) -}}
{{- end }}{{ end -}}
{{- if .Values.witnesses.policy }}{{ $_ := set $env "KITSEAL_WITNESS_POLICY" "/etc/kitseal/witnesses.policy" }}{{ end -}}
{{- with .Values.witnesses.timestampUrls }}{{ $_ := set $env "KITSEAL_TSA_URL" (join "," .) }}{{ end -}}
{{- if .Values.witnesses.timestampRoots }}{{ $_ := set $env "KITSEAL_TSA_ROOTS" "/etc/kitseal/tsa-roots.pem" }}{{ end -}}
{{- range $name, $value := merge (deepCopy .Values.settings) $env }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- define "kitseal.mounts" -}}
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
- { name: secrets, mountPath: /run/secrets/kitseal, readOnly: true }
- { name: witnesses, mountPath: /etc/kitseal, readOnly: true }
{{- end }}

{{/* 288 is mode 0440. */}}
{{- define "kitseal.volumes" -}}
- { name: data, emptyDir: {} }
- { name: tmp, emptyDir: {} }
- { name: secrets, secret: { secretName: {{ .Values.secretName }}, defaultMode: 288 } }
- { name: witnesses, configMap: { name: {{ .Release.Name }}-witnesses, optional: true } }
{{- end }}
