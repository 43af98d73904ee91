//! `POST /saml/{samlProviderId}/acs`

use std::time::SystemTime;

use actix_web::web::{BytesMut, Payload};
use quire_domain::bounds::SAML_SUBJECT_MAX;
use quire_domain::sign_in::SignInProblem;
use quire_server::saml::outline::Refusal;
use quire_server::saml::{self, DecryptionKey, Failure, Identity, Pending};
use quire_storage::people::saml::{StoredPerson, UsableSamlProvider};
use url::form_urlencoded;

use super::service;
use crate::extract::BodyDeadline;
use crate::prelude::*;
use crate::visits::{failed, see_other};

/// Maximum size of a body: a response of the maximum size in base64, some of whose characters are escaped as three
/// bytes.
const BODY_MAX: usize = 512 << 10;

/// Form that the page of a provider sends.
#[derive(Default)]
struct Form {
    response: String,
    state: String,
}

/// Checks the response of a provider, stores the person in it, and redirects the browser to the request that signs in.
/// Failures are shown on a page.
pub(super) async fn receive(
    Path(id): Path<SamlProviderId>,
    payload: Payload,
    state: State,
) -> ApiResult<HttpResponse> {
    let provider =
        state.read(Credentials::ANONYMOUS, move |reader| Ok(reader.usable_saml_provider(id)?)).await?;
    let form = read(&state, payload).await?;
    let relay_state = form.state.clone();
    let outcome = match identify(&state, &provider, form).await? {
        Ok(identity) => keep(&state, provider, &relay_state, identity).await?,
        Err(problem) => Err(problem),
    };
    Ok(match outcome {
        Ok(()) => see_other(&format!("{}?state={relay_state}", state.urls.saml(id, "callback"))),
        Err(problem) => failed(&state, id, problem),
    })
}

async fn read(state: &State, mut payload: Payload) -> ApiResult<Form> {
    let limit = u64::try_from(BODY_MAX).unwrap_or(u64::MAX);
    let (arrival, mut room) = (BodyDeadline::of(&state.settings, limit), state.bodies.of_unvouched_body());
    let mut body = BytesMut::new();
    while let Some(chunk) = arrival.next(&mut payload).await? {
        let unreadable = |_| ApiError::new(Reason::InvalidBody).with_message("The body could not be read.");
        let chunk = chunk.map_err(unreadable)?;
        if body.len().saturating_add(chunk.len()) > BODY_MAX {
            let message = format!("The body is larger than {BODY_MAX} bytes.");
            return Err(ApiError::new(Reason::PayloadTooLarge).with_message(message));
        }
        room.take(chunk.len())?;
        body.extend_from_slice(&chunk);
    }
    let mut form = Form::default();
    for (name, value) in form_urlencoded::parse(&body) {
        match &*name {
            "SAMLResponse" => form.response = value.into_owned(),
            "RelayState" => form.state = value.into_owned(),
            _ => {}
        }
    }
    Ok(form)
}

/// Finds the request that a response answers, and checks the response.
async fn identify(
    state: &State,
    provider: &UsableSamlProvider,
    form: Form,
) -> ApiResult<Result<Identity, SignInProblem>> {
    let Form { response, state: relay_state } = form;
    if provider.settings.is_none() {
        return Ok(Err(SignInProblem::Provider));
    }
    if saml::is_unsolicited(&response) {
        return Ok(Err(SignInProblem::Unsolicited));
    }
    let (of, named) = (provider.clone(), relay_state.clone());
    // The primary is asked, because a replica may not have the request yet.
    let find = move |tx: &mut Tx<'_>| match tx.saml_request(&of, &named)? {
        Some(request_id) => Ok(Some((request_id, tx.saml_decryption_key(&of)?))),
        None => Ok(None),
    };
    let found = state.transact(Credentials::ANONYMOUS, find).await?;
    let Some((request_id, key)) = found else { return Ok(Err(SignInProblem::State)) };
    let Some(service) = service(state, provider, key.map(DecryptionKey::from_pem)) else {
        return Ok(Err(SignInProblem::Provider));
    };
    let now = state.storage.clock().now();
    let now = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(now.millis()).unwrap_or(0));
    let pending = Pending { request_id, relay_state };
    let finished = state.compute(move |_| Ok(service.finish(&pending, &response, now))).await?;
    Ok(match finished {
        Ok(identity) if is_subject(&identity.subject) => Ok(identity),
        Ok(_) => Err(SignInProblem::Token),
        Err(failure) => {
            log::warn!("a sign-in with the provider {} failed: {failure}", provider.id);
            Err(problem_of(&failure))
        }
    })
}

fn is_subject(subject: &str) -> bool {
    let length = u64::try_from(subject.chars().count()).unwrap_or(u64::MAX);
    (1..=SAML_SUBJECT_MAX).contains(&length) && !subject.trim().is_empty()
}

async fn keep(
    state: &State,
    provider: UsableSamlProvider,
    relay_state: &str,
    identity: Identity,
) -> ApiResult<Result<(), SignInProblem>> {
    let Identity { subject, email, name, claims, used } = identity;
    let person = StoredPerson { subject, email, name, claims };
    let messages = used.into_iter().map(|used| (used.key, used.until)).collect();
    let relay_state = relay_state.to_owned();
    let keep =
        move |tx: &mut Tx<'_>| Ok(tx.identify_with_saml(&provider, &relay_state, &person, &messages)?);
    state.transact(Credentials::ANONYMOUS, keep).await
}

fn problem_of(failure: &Failure) -> SignInProblem {
    match failure {
        Failure::Provider(_) => SignInProblem::Provider,
        Failure::Denied(_) | Failure::Shape(Refusal::Denied) => SignInProblem::Denied,
        Failure::Issuer(_) => SignInProblem::Issuer,
        Failure::Audience(_) => SignInProblem::Audience,
        Failure::Recipient(_) => SignInProblem::Recipient,
        Failure::Request(_) => SignInProblem::Nonce,
        Failure::Expired(_) => SignInProblem::Expired,
        Failure::Decryption(_) => SignInProblem::Encrypted,
        Failure::Signature(_) => SignInProblem::Signature,
        Failure::Transient => SignInProblem::Transient,
        Failure::Response(_) => SignInProblem::Token,
        Failure::Shape(refusal) => match refusal {
            Refusal::Encrypted | Refusal::EncryptedUnsigned | Refusal::Encryption => SignInProblem::Encrypted,
            Refusal::Unsigned => SignInProblem::Unsigned,
            Refusal::Malformed => SignInProblem::Token,
            _ => SignInProblem::Shape,
        },
    }
}
