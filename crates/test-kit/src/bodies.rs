//! Bodies that are in order.

use serde_json::{Value, json};

/// The first worked example: its price is 389.00 and 58.25 tax.
pub fn estimate() -> Value {
    json!({
        "travelDuration": 15,
        "selectedFurnitures": { "furnitures": studio() },
        "mateCount": 2,
        "locationDetails": [
            { "floor": 1, "elevator": 0, "parking": true, "accessibility": "easy" },
            { "floor": 0, "elevator": 0, "parking": true, "accessibility": "easy" }
        ],
        "rideAlong": false,
        "movingDate": "2027-02-17",
        "discountCode": null,
        "clientAsMate": false,
        "justMates": false,
        "tax": { "type": "gst+qst", "rate": "0.14975" },
        "pickupAddress": { "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4" },
        "distanceKm": "6.2"
    })
}

/// The smallest ready-made inventory.
pub fn studio() -> Value {
    furniture_catalogue::Preset::Studio
        .items()
        .iter()
        .map(|(id, quantity)| json!({ "id": id, "quantity": quantity }))
        .collect()
}

/// A move inside Montreal.
pub fn draft(date: &str, time: &str) -> Value {
    json!({
        "pickup": { "country": "Canada", "province": "QC", "postalCode": "H2X 1Y4", "city": "Montréal", "street": "3500 Rue Saint-Urbain", "fullAddress": "3500 Rue Saint-Urbain, Montréal, QC H2X 1Y4, Canada" },
        "dropoff": { "country": "Canada", "province": "QC", "postalCode": "H4C 1K4", "city": "Montréal", "street": "4100 Rue Notre-Dame Ouest" },
        "pickupCoords": { "lat": 45.5128, "lon": -73.5716 },
        "dropoffCoords": { "lat": 45.4780, "lon": -73.5850 },
        "pickupFloor": 1, "dropoffFloor": 0,
        "pickupHasElevator": 0, "dropoffHasElevator": 0,
        "pickupHasParking": true, "dropoffHasParking": true,
        "date": date, "time": time,
        "bookingType": "residential",
        "selectedFurnitures": studio(),
        "mateCount": 2,
        "clientAsMate": false, "justMates": false, "rideAlong": false,
        "guidelinesAgreed": true,
        "comments": "Third door on the left"
    })
}
